import CausewaySimulation
import Foundation
import Testing

/// The settings of `make simulate`; `make test` always simulates the same seeds.
private enum Campaign {
  /// The time for each world.
  static let limit = ProcessInfo.processInfo.environment["SIMULATE_SECONDS"].flatMap { Int($0) }
    .map { Duration.seconds($0) }
  static let firstSeed =
    ProcessInfo.processInfo.environment["SIMULATE_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0..<1 << 40)
}

/// The worlds of `make simulate`.
@Suite(.serialized, .enabled(if: Campaign.limit != nil))
struct SimulationCampaign {
  enum Simulated: String, CaseIterable, Sendable {
    case polling, hints, fullDisk, failingDisk, logout, logoutOnFailingDisk, harbor

    func simulate(_ seeds: Range<UInt64>) throws -> SimulationSummary {
      switch self {
      case .polling: try Board(actions: 67).simulate(seeds)
      case .hints: try Board(usesHints: true, actions: 67).simulate(seeds)
      case .fullDisk: try Board(faults: Self.bad(.full)).simulate(seeds)
      case .failingDisk: try Board(faults: Self.bad(.failing)).simulate(seeds)
      case .logout: try LogoutWorld().simulate(seeds)
      case .harbor: try HarborWorld(actions: 40).simulate(seeds)
      case .logoutOnFailingDisk: try LogoutWorld(disk: .failing).simulate(seeds)
      }
    }

    private static func bad(
      _ fault: DiskFault
    ) -> @Sendable (_ server: NodeID, _ phones: [NodeID]) -> [SimulationFault] {
      { server, phones in
        let all = [server] + phones
        return [
          .disk(fault, of: all, every: .seconds(20), lasting: .zero ... .seconds(20)),
          .powerLoss(of: all, every: .seconds(40), down: .zero ... .seconds(20)),
        ]
      }
    }
  }

  @Test(arguments: Simulated.allCases)
  func `no seed fails`(world: Simulated) throws {
    let clock = ContinuousClock()
    let start = clock.now
    var seed = Campaign.firstSeed
    var (trials, steps, crashes) = (0, 0, 0)
    while clock.now - start < Campaign.limit ?? .zero {
      let summary = try world.simulate(seed..<seed + 5)
      seed += 5
      trials += summary.trials
      steps += summary.steps
      crashes += summary.crashes
    }
    let seconds = (clock.now - start) / .seconds(1)
    print(
      """
      \(world.rawValue): seeds from \(Campaign.firstSeed): \(trials), \(steps) steps, \
      \(crashes) crashes; \(Int(Double(trials) * 60 / seconds)) seeds a minute, \
      \(Int(Double(crashes) / seconds)) crashes a second
      """)
  }

  @Test(arguments: PlantedBug.allCases)
  func `the number of seeds that find each planted bug`(bug: PlantedBug) throws {
    let clock = ContinuousClock()
    let begin = clock.now
    var counts: [UInt64] = []
    for start in stride(from: UInt64(0), to: 5_000, by: 1_000) {
      do {
        try bug.simulate(start..<start + 1_000, isPlanted: true)
        Issue.record("seeds \(start) to \(start + 999) do not find the bug")
      } catch let failure as SimulationFailure {
        counts.append(failure.seed - start + 1)
      }
    }
    counts.sort()
    print(
      """
      \(bug.rawValue): a median of \(counts[counts.count / 2]) seeds of \(counts), \
      in \((clock.now - begin) / .seconds(1)) s
      """)
  }
}
