import CausewayNetwork

/// One run of a simulated world.
///
/// Isolation: only the thread of its scheduler may use it.
final class Trial {
  final class Node {
    let name: String
    var start: @Sendable (NodeContext) async throws -> any Sendable
    var life: Scheduler.Life
    var isUp = false
    var root: (any Sendable)?
    /// The values that survive a crash.
    var stored: [String: any Sendable] = [:]
    var handler: (@Sendable (NetworkRequest) async throws -> SimulatedAnswer)?
    /// The task that runs the body.
    var starting: Task<Void, Never>?
    private var random: InstantRandom
    /// The random numbers that the node's code takes from the system.
    ///
    /// Some code does this only in the first trial of a process, which must not change the others.
    var systemRandom: InstantRandom
    var wallClock = NodeWallClock()
    /// The random numbers of the named fault points.
    var faultPoints: ForkedRandom
    let disk: SimulatedDisk

    init(
      name: String, life: Scheduler.Life, _ identity: SimulationCase,
      start: @escaping @Sendable (NodeContext) async throws -> any Sendable
    ) {
      let number = UInt64(truncatingIfNeeded: life.node)
      self.name = name
      self.life = life
      random = InstantRandom(identity, purpose: 2, number)
      systemRandom = InstantRandom(identity, purpose: 7, number)
      disk = SimulatedDisk(
        node: NodeID(index: life.node),
        random: ForkedRandom(identity, purpose: 5, number))
      faultPoints = ForkedRandom(identity, purpose: 41, number)
      self.start = start
    }

    /// Returns the next random number of the node.
    func nextRandom() -> UInt64 {
      random.draw(at: Scheduler.ofThread?.now ?? .zero) { $0.next() }
    }

    /// Returns the next random number of the node, from 0 to 1.
    func nextFraction() -> Double {
      random.draw(at: Scheduler.ofThread?.now ?? .zero) { $0.nextFraction() }
    }
  }

  let scheduler: Scheduler
  let identity: SimulationCase
  var nodes: [Node] = []
  var faults: [SimulationFault] = []
  var scripts: [Script] = []
  private let isRecorded: Bool
  private(set) var timeline: Timeline?
  var network: SimulatedNetwork
  /// The first failure.
  private(set) var failure: TrialFailure?
  private(set) var crashCount = 0
  private(set) var actionCount = 0
  /// The actions that threw an error.
  private(set) var failedActionCount = 0
  /// The actions that were left out because their node was down.
  private(set) var skippedActionCount = 0
  /// The parts that a repetition can leave out.
  var parts: [SimulationCase.Part] = []
  /// The random numbers of tasks outside the nodes.
  private var worldRandom: InstantRandom
  private var worldSystemRandom: InstantRandom
  /// What happens at the named fault points; `nil` if nothing happens.
  var faultPoints: (probability: Double, pause: ClosedRange<Duration>)?
  private var exchangeCount = 0
  private var runningScripts = 0
  private var openActions = OpenActions()
  /// Whether the faults and scripts have ended.
  private(set) var isSettling = false
  private var checkHasEnded = false

  init(_ identity: SimulationCase, search: any ScheduleSearch, isRecorded: Bool) {
    self.identity = identity
    scheduler = Scheduler(search)
    network = SimulatedNetwork(identity)
    worldRandom = InstantRandom(identity, purpose: 6)
    worldSystemRandom = InstantRandom(identity, purpose: 8)
    self.isRecorded = isRecorded
    timeline = isRecorded ? Timeline() : nil
    scheduler.trial = self
  }

  /// The trial that runs on the current thread.
  static var ofThread: Trial {
    if let trial = Scheduler.ofThread?.trial { return trial }
    guard let count = SimulatedTasks.noteForeignRun() else {
      let names = SimulatedTasks.names.map { "\"\($0)\"" }.joined(separator: ", ")
      preconditionFailure(
        """
        Only tasks of simulate(…) can use the parts of a simulated world. These trials run now: \
        \(names.isEmpty ? "none" : names)
        """)
    }
    return foreign(nodes: count)
  }

  /// Runs a closure that uses the trial of the current thread, while no other thread uses it.
  ///
  /// The closure must not call code of the program.
  static func use<R, E: Error>(_ body: (Trial) throws(E) -> R) throws(E) -> R {
    let trial = ofThread
    trial.scheduler.lock()
    defer { trial.scheduler.unlock() }
    return try body(trial)
  }

  /// Returns an empty trial, for a task that a thread outside of the simulation runs.
  ///
  /// The trial of the task has failed, but the thread cannot stop before the task suspends.
  private static func foreign(nodes count: Int) -> Trial {
    let none = SimulationCase(seed: 0, schedule: 0)
    let trial = Trial(none, search: UniformSearch(none), isRecorded: false)
    for number in 0..<count { _ = trial.addNode("\(number)") { _ in } }
    return trial
  }

  func fail(_ failure: TrialFailure) {
    // Code of a node that has just crashed cannot fail.
    guard scheduler.isCurrentAlive else { return }
    if self.failure == nil { self.failure = failure }
  }

  func log(_ text: @autoclosure () -> String, _ node: NodeID? = nil) {
    scheduler.markProgress()
    guard isRecorded else { return }
    let text = text()
    scheduler.lock()
    defer { scheduler.unlock() }
    timeline?.add(text, node: node, at: scheduler.now, names: nodes.map(\.name))
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
    nodes.append(Node(name: name, life: life, identity) { try await body($0) })
    return NodeID(index: life.node)
  }

  func start(_ id: NodeID) {
    let node = nodes[id.index]
    if scheduler.isInTurn { return scheduler.afterTurn { [unowned self] in start(id) } }
    guard !node.isUp else { return }
    node.isUp = true
    log("starts", id)
    let context = NodeContext(id: id, name: node.name)
    scheduler.perform(as: node.life) {
      node.starting = Task { @concurrent [start = node.start] in
        do {
          let root = try await start(context)
          Trial.use { $0.hasStarted(id, root) }
        } catch {
          let text = "\(error)"
          Trial.use { $0.couldNotStart(id, text) }
        }
      }
    }
  }

  private func hasStarted(_ id: NodeID, _ root: any Sendable) {
    guard scheduler.isCurrentAlive else { return }
    nodes[id.index].root = root
    nodes[id.index].starting = nil
    log("has started", id)
  }

  /// Ends a node whose body has thrown; with a bad disk, it starts again later.
  private func couldNotStart(_ id: NodeID, _ error: String) {
    guard scheduler.isCurrentAlive else { return }
    switch nodes[id.index].disk.fault {
    case .full, .failing, .failingSync, .readOnly: break
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
    if node >= 0 { return nodes[node].nextFraction() }
    return worldRandom.draw(at: scheduler.now) { $0.nextFraction() }
  }

  /// Returns the next random number of the node whose job runs.
  func randomWord() -> UInt64 {
    let node = scheduler.current.node
    if node >= 0 { return nodes[node].nextRandom() }
    return worldRandom.draw(at: scheduler.now) { $0.next() }
  }

  /// Fills memory with the random numbers that the current code takes from the system.
  func randomize(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    scheduler.lock()
    defer { scheduler.unlock() }
    let node = scheduler.current.node
    func fill(_ random: inout SimulationRandom) {
      for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
    }
    if node >= 0 {
      nodes[node].systemRandom.draw(at: scheduler.now, fill)
    } else {
      worldSystemRandom.draw(at: scheduler.now, fill)
    }
  }

  /// The time of the system's clocks for the current code, in nanoseconds.
  ///
  /// - Parameter isWall: Whether it is the time since 1970, with the error of the node's clock.
  func systemTime(isWall: Bool) -> Int64 {
    guard isWall else { return Self.startOfUptime + scheduler.now.nanoseconds }
    scheduler.lock()
    defer { scheduler.unlock() }
    let node = scheduler.current.node
    let offset = node >= 0 ? nodes[node].wallClock.time(at: scheduler.now) : scheduler.now
    return Int64(Self.startOfTime) * 1_000_000_000 + offset.nanoseconds
  }

  /// The wall-clock time on a node, in milliseconds since 1970.
  func milliseconds(of id: NodeID) -> Int64 {
    Int64(Self.startOfTime) * 1_000 + wallTime(of: id).microseconds / 1_000
  }

  /// The time on a node since the date at which each trial begins.
  func wallTime(of id: NodeID) -> Duration {
    nodes[id.index].wallClock.time(at: scheduler.now)
  }

  /// The time of the monotonic clocks at which each trial begins, in nanoseconds.
  ///
  /// It is years ahead of the real clocks. A deadline that code gives to a real timer or queue is then
  /// never reached, instead of at once.
  static let startOfUptime: Int64 = 300_000_000_000_000_000
  /// The date at which each trial begins, in seconds since 1970.
  static let startOfTime = 1_750_000_000.0

  /// Ends the run of a node.
  ///
  /// - Parameter power: What is left of the changes that are not synchronised; `nil` keeps them all.
  func crash(_ id: NodeID, power: SimulationRandom? = nil) {
    let node = nodes[id.index]
    guard node.isUp, scheduler.isCurrentAlive else { return }
    // Other threads may run steps of the node.
    if scheduler.isInTurn {
      return scheduler.afterTurn { [unowned self] in crash(id, power: power) }
    }
    log(power == nil ? "crashes" : "loses power", id)
    // The files are closed first. Otherwise, releasing the root could still write to them.
    node.disk.crash(power: power)
    endRun(of: id)
  }

  /// Ends the run of a node in the middle of an operation of its disk.
  ///
  /// The rest of the step runs, but has no effect outside of the node.
  func crashInside(_ id: NodeID, _ place: String, losesPower: Bool, for pause: Duration) {
    log("\(losesPower ? "loses power" : "crashes") \(place)", id)
    scheduler.interrupt(id.index) { [unowned self] in
      nodes[id.index].disk.crash()
      endRun(of: id)
      scheduler.post(.world, after: pause) { [unowned self] in start(id) }
    }
  }

  private func endRun(of id: NodeID) {
    let node = nodes[id.index]
    crashCount += 1
    node.isUp = false
    node.root = nil
    node.starting = nil
    node.handler = nil
    openActions.endAll(on: id)
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
    for duration: Duration, settling: Duration, threads: Int,
    build: @Sendable (World) throws -> Parts,
    check: @escaping @Sendable (World, Parts) async throws -> Void,
    always: (@Sendable (World, Parts) throws -> Void)?
  ) {
    scheduler.announce("\(identity)")
    scheduler.withThread("\(identity)", threads: threads) {
      runParts(for: duration, settling: settling, build: build, check: check, always: always)
      release()
    }
    scheduler.end()
  }

  /// Releases everything that the nodes have, as a crash does.
  ///
  /// The frames of tasks that never end stay in memory. The databases, files and closures that belong
  /// to the nodes are most of the memory of a trial.
  private func release() {
    for node in nodes {
      node.disk.drop()
      node.root = nil
      node.starting = nil
      node.handler = nil
      node.stored = [:]
      node.isUp = false
    }
    openActions = OpenActions()
    scheduler.drop()
    network.drop()
    scripts = []
  }

  /// Releases what the trial has recorded, because tasks that never end can retain the trial.
  func dismiss() {
    scheduler.dismiss()
    timeline = nil
    nodes = []
    parts = []
    faults = []
  }

  private func runParts<Parts: Sendable>(
    for duration: Duration, settling: Duration, build: @Sendable (World) throws -> Parts,
    check: @escaping @Sendable (World, Parts) async throws -> Void,
    always: (@Sendable (World, Parts) throws -> Void)?
  ) {
    do {
      let parts = try build(World())
      SimulatedTasks.setNodes(nodes.count)
      let always: () throws -> Void = { try always?(World(), parts) }
      beginFaults(until: duration)
      for index in nodes.indices { start(NodeID(index: index)) }
      for index in scripts.indices { begin(index) }
      // Faults and scripts end first. Then the nodes have time to agree.
      go(until: duration, always) { self.runningScripts == 0 && self.faults.isEmpty }
      isSettling = true
      endFaults()
      runningScripts = 0
      go(until: scheduler.now + settling, always) { false }
      finishActions(always)
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
      case .idling: fail(.idling(scheduler.busiest.map { path.name(of: $0) } ?? "", scheduler.now))
      case .nothingLeft where runningScripts > 0: fail(.deadlock("\(runningScripts) scripts"))
      case .escape(let escape): fail(.escape(escape))
      case .condition, .limit, .nothingLeft: break
      }
    } catch {
      fail(.requirement("\(error)"))
    }
  }

  /// The virtual time after the settling in which actions and starts of nodes must end.
  private static let longestAction = Duration.seconds(600)

  /// Waits for the actions of scripts and the starts of nodes, and fails if some do not end.
  private func finishActions(_ always: () throws -> Void) {
    func isFinished() -> Bool {
      openActions.isEmpty && !nodes.contains { $0.isUp && $0.root == nil }
    }
    if !isFinished() { go(until: scheduler.now + Self.longestAction, always, isDone: isFinished) }
    guard failure == nil, !isFinished() else { return }
    let actions = openActions.texts(nodes: nodes.map(\.name), scheduler)
    let starts = nodes.filter { $0.isUp && $0.root == nil }.map { node in
      "the start of \(node.name)" + OpenActions.place(of: node.starting)
    }
    fail(.unfinished(actions + starts))
  }

  private func checkAtEnd(
    _ always: () throws -> Void, _ check: @escaping @Sendable () async throws -> Void
  ) {
    guard failure == nil else { return }
    _ = Task { @concurrent in
      do {
        try await check()
      } catch {
        let text = "\(error)"
        Trial.use { $0.fail(.requirement(text)) }
      }
      Trial.use { $0.checkHasEnded = true }
    }
    go(until: scheduler.now + Self.longestCheck, always) { checkHasEnded }
    if !checkHasEnded { fail(.deadlock("the check")) }
  }

  /// The virtual time after which a check counts as stuck.
  private static let longestCheck = Duration.seconds(3_600)

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
          seed: trial.identity.seed(at: trial.scheduler.now), purpose: 3, UInt64(index),
          UInt64(number))
        try await SimulationClock().sleep(for: random.duration(in: script.pause))
        // An action shortly before the check would leave the nodes no time to agree.
        if trial.isSettling { return }
        if trial.identity.removed.contains(.action(script: index, number: number)) { continue }
        Trial.use { $0.perform(script, index, number, random) }
      }
      Trial.use { $0.runningScripts -= 1 }
    }
  }

  private func perform(
    _ script: Script, _ index: Int, _ number: Int, _ random: SimulationRandom
  ) {
    let id = script.node
    guard nodes[id.index].root != nil else {
      skippedActionCount += 1
      return log("action \(number) left out", id)
    }
    actionCount += 1
    log("action \(number)", id)
    let life = nodes[id.index].life
    openActions.begin(index, number, on: id, at: scheduler.now)
    scheduler.perform(as: life) {
      let task = Task { @concurrent in
        Trial.use { $0.openActions.setTurn($0.scheduler.currentTurn, of: index, number) }
        do {
          _ = try await script.perform(random)
        } catch {
          // The app's text is made without the trial's lock.
          let text = "action \(number) failed: \(error)"
          Trial.use { trial in
            trial.failedActionCount += 1
            trial.log(text, id)
          }
        }
        Trial.use { trial in
          trial.openActions.end(index, number)
          trial.scheduler.markProgress()
        }
      }
      openActions.setTask(task, of: index, number)
    }
  }
}
