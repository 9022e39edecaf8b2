/// Kinds of faults from which `World.swarm(of:kinds:)` chooses.
package struct FaultKinds: OptionSet, Sendable {
  /// The bits of the kinds.
  package let rawValue: Int

  /// Makes a set from its bits.
  package init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Slow, lost, duplicated and divided messages.
  package static let messages = FaultKinds(rawValue: 1)
  /// Partitions between two nodes.
  package static let partitions = FaultKinds(rawValue: 2)
  /// Crashes of nodes.
  package static let crashes = FaultKinds(rawValue: 4)
  /// Power failures of nodes.
  package static let powerLoss = FaultKinds(rawValue: 8)
  /// Slow disks.
  package static let slowDisks = FaultKinds(rawValue: 16)
  /// Full, read-only and failing disks.
  package static let badDisks = FaultKinds(rawValue: 32)
  /// Wrong dates that drift and jump.
  package static let clocks = FaultKinds(rawValue: 64)
  /// Delays and crashes at the named fault points of the programs.
  package static let faultPoints = FaultKinds(rawValue: 128)

  /// All kinds.
  package static let all = FaultKinds(rawValue: 255)
}

extension World {
  /// Chooses a mix of faults and their rates; each seed has another mix.
  ///
  /// Many bugs need one fault often and another fault never, so a mix of all faults rarely finds
  /// them. This is swarm testing (A. Groce et al., "Swarm Testing", ISSTA 2012).
  ///
  /// ```swift
  /// world.faults = world.swarm(of: [server.id] + phones.map(\.id))
  /// ```
  ///
  /// Remove the faults that your world must not have. The other faults do not depend on the removed
  /// ones.
  ///
  /// - Parameter nodes: The nodes that have the faults of nodes and disks.
  /// - Returns: The faults. Each kind is in about half of the mixes.
  public func swarm(of nodes: [NodeID]) -> [SimulationFault] { swarm(of: nodes, kinds: .all) }

  /// Chooses a mix of some kinds of faults.
  ///
  /// - Parameters:
  ///   - nodes: The nodes that have the faults of nodes and disks.
  ///   - kinds: The kinds that the mix may contain.
  /// - Returns: The faults.
  package func swarm(of nodes: [NodeID], kinds: FaultKinds) -> [SimulationFault] {
    // The numbers of each kind do not depend on the other kinds.
    let seed = Trial.ofThread.identity.seed
    func draw(
      _ kind: FaultKinds, _ number: UInt64, _ make: (inout SimulationRandom) -> SimulationFault
    ) -> [SimulationFault] {
      var random = SimulationRandom(seed: seed, purpose: 40, UInt64(kind.rawValue), number)
      return kinds.contains(kind) && Bool.random(using: &random) ? [make(&random)] : []
    }
    return Self.messageFaults(draw) + Self.nodeFaults(of: nodes, draw)
  }

  private typealias Draw = (
    _ kind: FaultKinds, _ number: UInt64, _ make: (inout SimulationRandom) -> SimulationFault
  ) -> [SimulationFault]

  private static func messageFaults(_ draw: Draw) -> [SimulationFault] {
    [
      draw(.messages, 0) { .latency(.milliseconds(1)...time(.milliseconds(10), 8, &$0)) },
      draw(.messages, 1) { .loss(probability(&$0)) },
      draw(.messages, 2) { .duplicates(probability(&$0)) },
      draw(.messages, 3) {
        .slowBytes(probability(&$0), pieces: 2...6, pause: .zero...time(.milliseconds(10), 8, &$0))
      },
      draw(.partitions, 0) {
        .partitions(every: time(.seconds(4), 5, &$0), lasting: .zero...time(.seconds(1), 6, &$0))
      },
    ].flatMap(\.self)
  }

  private static func nodeFaults(of nodes: [NodeID], _ draw: Draw) -> [SimulationFault] {
    func disk(_ fault: DiskFault, _ random: inout SimulationRandom) -> SimulationFault {
      .disk(
        fault, of: nodes, every: time(.seconds(4), 5, &random),
        lasting: .zero...time(.seconds(1), 5, &random))
    }
    func outage(_ random: inout SimulationRandom) -> (every: Duration, down: ClosedRange<Duration>)
    {
      (time(.seconds(4), 5, &random), .zero...time(.milliseconds(100), 8, &random))
    }
    return [
      draw(.crashes, 0) {
        let (every, down) = outage(&$0)
        return .crashes(of: nodes, every: every, down: down)
      },
      draw(.powerLoss, 0) {
        let (every, down) = outage(&$0)
        return .powerLoss(of: nodes, every: every, down: down)
      },
      draw(.slowDisks, 0) { disk(.slow(.milliseconds(1)...time(.milliseconds(20), 7, &$0)), &$0) },
      draw(.badDisks, 0) { disk(.full, &$0) },
      draw(.badDisks, 1) { disk(.readOnly, &$0) },
      draw(.badDisks, 2) { disk(.failing, &$0) },
      draw(.badDisks, 3) { disk(.failingSync, &$0) },
      draw(.clocks, 0) { .clockSkew(time(.seconds(1), 10, &$0)) },
      draw(.clocks, 1) { .clockDrift(partsPerMillion: 1 << Int.random(in: 4...16, using: &$0)) },
      draw(.clocks, 2) {
        .clockJumps(of: nodes, every: time(.seconds(8), 5, &$0), by: time(.seconds(1), 12, &$0))
      },
      draw(.faultPoints, 0) {
        .faultPoints(probability(&$0), pause: .zero...time(.milliseconds(100), 7, &$0))
      },
    ].flatMap(\.self)
  }

  /// Returns `shortest`, doubled a random number of times from 0 to `doublings`.
  private static func time(
    _ shortest: Duration, _ doublings: Int, _ random: inout SimulationRandom
  ) -> Duration {
    shortest * (1 << Int.random(in: 0...doublings, using: &random))
  }

  /// Returns a probability between 1/64 and 1/2.
  private static func probability(_ random: inout SimulationRandom) -> Double {
    1 / Double(1 << Int.random(in: 1...6, using: &random))
  }
}
