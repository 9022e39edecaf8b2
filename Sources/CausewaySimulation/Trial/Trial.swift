import CausewayData

/// One run of a simulated world.
///
/// Isolation: only the thread of its scheduler may use it.
final class Trial {
  final class Node {
    let name: String
    let start: @Sendable (NodeContext) async throws -> any Sendable
    var life: Scheduler.Life
    var isUp = false
    var root: (any Sendable)?
    /// The values that survive a crash.
    var stored: [String: any Sendable] = [:]
    var handler: (@Sendable (NetworkRequest) async throws -> SimulatedAnswer)?
    var random: SimulationRandom
    var skew = Duration.zero
    let disk: SimulatedDisk

    init(
      name: String, life: Scheduler.Life, random: SimulationRandom, disk: SimulatedDisk,
      start: @escaping @Sendable (NodeContext) async throws -> any Sendable
    ) {
      self.name = name
      self.life = life
      self.random = random
      self.disk = disk
      self.start = start
    }
  }

  let scheduler: Scheduler
  let identity: SimulationCase
  var nodes: [Node] = []
  var faults: [SimulationFault] = []
  var scripts: [Script] = []
  var timeline: Timeline?
  var network: SimulatedNetwork
  /// The first failure.
  private(set) var failure: TrialFailure?
  private(set) var crashCount = 0
  /// The parts that a repetition can leave out.
  private(set) var parts: [SimulationCase.Part] = []
  /// The random numbers of tasks outside the nodes.
  private var worldRandom: SimulationRandom
  private var exchangeCount = 0
  private var runningScripts = 0
  /// Whether the faults and scripts have ended.
  private var isSettling = false
  private var checkHasEnded = false

  init(_ identity: SimulationCase, search: any ScheduleSearch, isRecorded: Bool) {
    self.identity = identity
    scheduler = Scheduler(search)
    network = SimulatedNetwork(seed: identity.seed)
    worldRandom = SimulationRandom(seed: identity.seed, purpose: 6)
    timeline = isRecorded ? Timeline() : nil
    scheduler.trial = self
  }

  /// The trial that runs on the current thread.
  static var ofThread: Trial {
    guard let trial = Scheduler.ofThread?.trial else {
      preconditionFailure(
        "Only tasks of simulate(…) can use the parts of a simulated world")
    }
    return trial
  }

  func fail(_ failure: TrialFailure) {
    if self.failure == nil { self.failure = failure }
  }

  func log(_ text: @autoclosure () -> String, _ node: NodeID? = nil) {
    timeline?.add(text(), node: node, at: scheduler.now, names: nodes.map(\.name))
  }

  /// Returns the number of a new request.
  func nextExchange() -> Int {
    exchangeCount += 1
    return exchangeCount
  }

  // MARK: - Nodes

  func addNode<Root: Sendable>(
    _ name: String, _ body: @escaping @Sendable (NodeContext) async throws -> Root
  ) -> NodeID {
    let life = scheduler.addNode()
    let random = SimulationRandom(
      seed: identity.seed, purpose: 2, UInt64(truncatingIfNeeded: life.node))
    let disk = SimulatedDisk(
      node: life.node,
      random: SimulationRandom(
        seed: identity.seed, purpose: 5, UInt64(truncatingIfNeeded: life.node)))
    nodes.append(
      Node(name: name, life: life, random: random, disk: disk) { try await body($0) })
    return NodeID(index: life.node)
  }

  func start(_ id: NodeID) {
    let node = nodes[id.index]
    guard !node.isUp else { return }
    node.isUp = true
    log("starts", id)
    let context = NodeContext(id: id, name: node.name)
    scheduler.perform(as: node.life) {
      _ = Task { @concurrent [start = node.start] in
        do {
          let root = try await start(context)
          Trial.ofThread.nodes[id.index].root = root
          Trial.ofThread.log("has started", id)
        } catch {
          Trial.ofThread.couldNotStart(id, "\(error)")
        }
      }
    }
  }

  /// Ends a node whose body has thrown; with a bad disk, it starts again later.
  private func couldNotStart(_ id: NodeID, _ error: String) {
    switch nodes[id.index].disk.fault {
    case .full, .failing, .readOnly: break
    case .slow, nil: return fail(.start(nodes[id.index].name, error))
    }
    log("could not start: \(error)", id)
    crash(id)
    scheduler.post(.world, after: .seconds(1)) { [unowned self] in start(id) }
  }

  /// The wall-clock time on the node whose job runs, in milliseconds since 1970.
  func milliseconds() -> Int64 {
    let node = scheduler.current.node
    guard node >= 0 else {
      return Int64(Self.startOfTime) * 1_000 + scheduler.now.microseconds / 1_000
    }
    return milliseconds(of: NodeID(index: node))
  }

  /// Returns a random number of the node whose job runs, from 0 to 1.
  func randomFraction() -> Double {
    let node = scheduler.current.node
    return node >= 0 ? nodes[node].random.nextFraction() : worldRandom.nextFraction()
  }

  /// Returns the next random number of the node whose job runs.
  func randomWord() -> UInt64 {
    let node = scheduler.current.node
    return node >= 0 ? nodes[node].random.next() : worldRandom.next()
  }

  /// The wall-clock time on a node, in milliseconds since 1970.
  func milliseconds(of id: NodeID) -> Int64 {
    let offset = scheduler.now + nodes[id.index].skew
    return Int64(Self.startOfTime) * 1_000 + offset.microseconds / 1_000
  }

  /// The date at which each trial begins, in seconds since 1970.
  static let startOfTime = 1_750_000_000.0

  /// Ends the run of a node.
  ///
  /// - Parameter losesPower: Whether the disk may lose changes that are not synchronised.
  func crash(_ id: NodeID, losesPower: Bool = false) {
    let node = nodes[id.index]
    guard node.isUp else { return }
    log(losesPower ? "loses power" : "crashes", id)
    crashCount += 1
    node.isUp = false
    // The files are closed first. Otherwise, releasing the root could still write to them.
    node.disk.crash(losesPower: losesPower)
    node.root = nil
    node.handler = nil
    scheduler.endLife(of: id.index)
    node.life = scheduler.life(of: id.index)
    for exchange in network.takeExchanges(of: id) {
      exchange.answer(.failure(exchange.error(.connectionLost, "the server crashed")), in: self)
    }
    for connection in network.takeConnections(of: id) { connection.breakDown(in: self) }
  }

  // MARK: - Running

  /// Runs the world.
  func run<Parts: Sendable>(
    for duration: Duration, settling: Duration, build: @Sendable (World) throws -> Parts,
    check: @escaping @Sendable (World, Parts) async throws -> Void,
    always: (@Sendable (World, Parts) throws -> Void)?
  ) {
    scheduler.withThread {
      runParts(for: duration, settling: settling, build: build, check: check, always: always)
    }
    scheduler.end()
  }

  private func runParts<Parts: Sendable>(
    for duration: Duration, settling: Duration, build: @Sendable (World) throws -> Parts,
    check: @escaping @Sendable (World, Parts) async throws -> Void,
    always: (@Sendable (World, Parts) throws -> Void)?
  ) {
    do {
      let parts = try build(World())
      let always: () throws -> Void = { try always?(World(), parts) }
      beginFaults(until: duration)
      for index in nodes.indices { start(NodeID(index: index)) }
      for index in scripts.indices { begin(index) }
      // Faults and scripts end first. Then the nodes have time to agree.
      go(until: duration, always) { self.runningScripts == 0 && self.faults.isEmpty }
      endFaults()
      runningScripts = 0
      go(until: scheduler.now + settling, always) { false }
      checkAtEnd(always) { try await check(World(), parts) }
    } catch {
      fail(.requirement("\(error)"))
    }
  }

  private func go(until limit: Duration, _ always: () throws -> Void, isDone: () -> Bool) {
    guard failure == nil else { return }
    do {
      let ending = try scheduler.run(until: limit) {
        try always()
        return failure != nil || isDone()
      }
      switch ending {
      case .spin: fail(.spin(scheduler.spinning.map { path.name(of: $0) } ?? "", scheduler.now))
      case .nothingLeft where runningScripts > 0: fail(.deadlock("\(runningScripts) scripts"))
      case .escape(let escape): fail(.escape(escape))
      case .condition, .limit, .nothingLeft: break
      }
    } catch {
      fail(.requirement("\(error)"))
    }
  }

  private func checkAtEnd(
    _ always: () throws -> Void, _ check: @escaping @Sendable () async throws -> Void
  ) {
    guard failure == nil else { return }
    _ = Task { @concurrent in
      do {
        try await check()
      } catch {
        Trial.ofThread.fail(.requirement("\(error)"))
      }
      Trial.ofThread.checkHasEnded = true
    }
    go(until: scheduler.now + Self.longestCheck, always) { checkHasEnded }
    if !checkHasEnded { fail(.deadlock("the check")) }
  }

  /// The virtual time after which a check counts as stuck.
  private static let longestCheck = Duration.seconds(3_600)

  /// Describes the first step that another trial of the same case has taken differently.
  func firstDifference(from other: Trial) -> String? {
    path.firstDifference(from: other.path)
  }

  /// The steps so far.
  var path: TrialPath {
    TrialPath(nodes: nodes.map(\.name), steps: scheduler.taken)
  }

  // MARK: - Scripts

  private func begin(_ index: Int) {
    let script = scripts[index]
    runningScripts += 1
    parts += (0..<script.count).map { .action(script: index, number: $0) }
      .filter { !identity.removed.contains($0) }
    // The pauses belong to the world, the actions to the node.
    _ = Task { @concurrent in
      for number in 0..<script.count {
        let trial = Trial.ofThread
        var random = SimulationRandom(
          seed: trial.identity.seed, purpose: 3, UInt64(index), UInt64(number))
        try await SimulationClock().sleep(for: random.duration(in: script.pause))
        // An action shortly before the check would leave the nodes no time to agree.
        if trial.isSettling { return }
        if trial.identity.removed.contains(.action(script: index, number: number)) { continue }
        trial.perform(script, number, random)
      }
      Trial.ofThread.runningScripts -= 1
    }
  }

  private func perform(_ script: Script, _ number: Int, _ random: SimulationRandom) {
    let id = script.node
    guard nodes[id.index].root != nil else { return log("action \(number) left out", id) }
    log("action \(number)", id)
    scheduler.perform(as: nodes[id.index].life) {
      _ = Task { @concurrent in
        do {
          _ = try await script.perform(random)
        } catch {
          Trial.ofThread.log("action \(number) failed: \(error)", id)
        }
      }
    }
  }

  // MARK: - Faults

  private func beginFaults(until limit: Duration) {
    for (index, fault) in faults.enumerated() {
      if identity.removed.contains(.fault(index)) { continue }
      parts.append(.fault(index))
      var random = SimulationRandom(seed: identity.seed, purpose: 4, UInt64(index))
      switch fault {
      case .latency(let range): network.latency = range
      case .loss(let probability): network.loss = probability
      case .duplicates(let probability): network.duplicates = probability
      case .slowBytes(let probability, let pieces, let pause):
        network.slowBytes = (probability, pieces, pause)
      case .clockSkew(let most):
        for node in nodes {
          node.skew = random.duration(in: .zero - most...most)
        }
      case .crashes(let ids, let every, let down):
        crashes(index, of: ids, every, down, losesPower: false, until: limit, &random)
      case .powerLoss(let ids, let every, let down):
        crashes(index, of: ids, every, down, losesPower: true, until: limit, &random)
      case .disk(let fault, let ids, let every, let lasting):
        repeatedly(index, every, until: limit, &random) { random in
          let id = ids.randomElement(using: &random)
          let pause = random.duration(in: lasting)
          return { trial in
            guard let id else { return }
            trial.log("has a disk fault: \(fault)", id)
            trial.nodes[id.index].disk.fault = fault
            trial.scheduler.post(.world, after: pause) { [unowned trial] in
              trial.nodes[id.index].disk.fault = nil
            }
          }
        }
      case .partitions(let every, let lasting):
        let count = nodes.count
        repeatedly(index, every, until: limit, &random) { random in
          let from = Int.random(in: 0..<count, using: &random)
          let to = Int.random(in: 0..<count, using: &random)
          let isOneWay = Bool.random(using: &random)
          let pause = random.duration(in: lasting)
          return { trial in
            trial.partition(NodeID(index: from), NodeID(index: to), isOneWay, for: pause)
          }
        }
      }
    }
  }

  private func crashes(
    _ fault: Int, of ids: [NodeID], _ every: Duration, _ down: ClosedRange<Duration>,
    losesPower: Bool, until limit: Duration, _ random: inout SimulationRandom
  ) {
    repeatedly(fault, every, until: limit, &random) { random in
      let id = ids.randomElement(using: &random)
      let pause = random.duration(in: down)
      return { trial in
        guard let id else { return }
        trial.crash(id, losesPower: losesPower)
        trial.scheduler.post(.world, after: pause) { [unowned trial] in trial.start(id) }
      }
    }
  }

  /// Causes the events of a fault at random times.
  private func repeatedly(
    _ fault: Int, _ every: Duration, until limit: Duration, _ random: inout SimulationRandom,
    _ make: (inout SimulationRandom) -> (Trial) -> Void
  ) {
    var time = Duration.zero
    var number = 0
    while true {
      time += random.duration(in: .zero...(every * 2))
      if time >= limit || every <= .zero { return }
      let event = make(&random)
      let part = SimulationCase.Part.event(fault: fault, number: number)
      number += 1
      if identity.removed.contains(part) { continue }
      parts.append(part)
      scheduler.post(.world, after: time) { [unowned self] in
        if !isSettling { event(self) }
      }
    }
  }

  private func partition(_ from: NodeID, _ to: NodeID, _ isOneWay: Bool, for pause: Duration) {
    guard from != to else { return }
    log(
      "no message reaches \(nodes[to.index].name)\(isOneWay ? "" : ", in either direction")", from)
    network.block(from, to)
    if !isOneWay { network.block(to, from) }
    scheduler.post(.world, after: pause) { [unowned self] in
      network.unblock(from, to)
      if !isOneWay { network.unblock(to, from) }
    }
  }

  /// Ends all faults, and starts the nodes that are down.
  private func endFaults() {
    isSettling = true
    network.heal()
    for node in nodes { node.disk.fault = nil }
    for index in nodes.indices { start(NodeID(index: index)) }
  }
}
