import CausewayExploration

/// One run of a simulated world.
///
/// Isolation: only the thread of its scheduler may use it.
final class Trial {
  let scheduler: Scheduler
  let identity: SimulationCase
  var nodes: [TrialNode] = []
  var faults: [SimulationFault] = []
  private(set) lazy var scripts = TrialScripts(self)
  var network: SimulatedNetwork
  /// The values of tasks outside the nodes.
  var values: NodeValues
  /// The probability and the pause of events at the named fault points; `nil` without events.
  var faultPoints: (probability: Double, pause: ClosedRange<Duration>)?
  /// The parts that a repetition can leave out.
  var parts: [SimulationCase.Part] = []
  var counts = TrialCounts()
  private let isRecorded: Bool
  private(set) var timeline: Timeline?
  /// The first failure.
  private(set) var failure: TrialFailure?
  /// Whether the faults and scripts have ended.
  private(set) var isSettling = false
  private var checkHasEnded = false
  /// The assertions that have failed.
  let assertions: AssertionLog

  init(
    _ identity: SimulationCase, search: any ScheduleSearch, isRecorded: Bool,
    log: AssertionLog = AssertionLog()
  ) {
    self.identity = identity
    assertions = log
    scheduler = Scheduler(search, hopsAreSteps: identity.hopsAreSteps)
    network = SimulatedNetwork(identity)
    values = NodeValues(identity, node: nil)
    self.isRecorded = isRecorded
    timeline = isRecorded ? Timeline() : nil
    scheduler.owner = self
  }

  /// The trial that runs on the current thread; `nil` outside a simulation.
  static var current: Trial? { Scheduler.ofThread?.owner as? Trial }

  /// The trial that runs on the current thread.
  static var ofThread: Trial {
    if let trial = current { return trial }
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

  // MARK: - Running

  /// Runs the world.
  func run<Parts: Sendable>(
    for duration: Duration, settling: Duration, threads: Int,
    build: () throws -> Parts, check: @escaping @Sendable (Parts) async throws -> Void,
    always: (Parts) throws -> Void
  ) {
    _ = assertions.take()
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
      node.endRun()
      node.stored = [:]
    }
    scheduler.drop()
    network.drop()
    scripts.drop()
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
    for duration: Duration, settling: Duration, build: () throws -> Parts,
    check: @escaping @Sendable (Parts) async throws -> Void, always: (Parts) throws -> Void
  ) {
    do {
      let parts = try build()
      SimulatedTasks.setNodes(nodes.count)
      let always: () throws -> Void = { try always(parts) }
      beginFaults(until: duration)
      for index in nodes.indices { start(NodeID(index: index)) }
      scripts.begin()
      // Faults and scripts end first. Then the nodes have time to agree.
      go(until: duration, always) { scripts.running == 0 && faults.isEmpty }
      isSettling = true
      endFaults()
      scripts.end()
      go(until: scheduler.now + settling, always) { false }
      finishActions(always)
      checkAtEnd(always) { try await check(parts) }
    } catch {
      fail(.requirement("\(error)"))
    }
  }

  private func go(until limit: Duration, _ always: () throws -> Void, isDone: () -> Bool) {
    guard failure == nil else { return }
    do {
      let ending = try scheduler.run(until: limit) {
        try always()
        noteAssertions()
        return failure != nil || isDone()
      }
      noteAssertions()
      switch ending {
      case .spin: fail(.spin(name(of: scheduler.spinning), scheduler.now))
      case .idling: fail(.idling(name(of: scheduler.busiest), scheduler.now))
      case .nothingLeft where scripts.running > 0: fail(.deadlock("\(scripts.running) scripts"))
      case .escape(let escape): fail(.escape(escape))
      case .condition, .limit, .nothingLeft: break
      }
    } catch {
      fail(.requirement("\(error)"))
    }
  }

  /// Fails if an assertion has failed, in an action, a check or the program of a node.
  private func noteAssertions() {
    guard assertions.hasFailures else { return }
    fail(.requirement(assertions.take().joined(separator: "\n")))
  }

  /// The virtual time after the settling in which actions and starts of nodes must end.
  private static let longestAction = Duration.seconds(600)

  /// Waits for the actions of scripts and the starts of nodes, and fails if some do not end.
  private func finishActions(_ always: () throws -> Void) {
    func isFinished() -> Bool {
      scripts.open.isEmpty && !nodes.contains(where: \.isStarting)
    }
    if !isFinished() { go(until: scheduler.now + Self.longestAction, always, isDone: isFinished) }
    guard failure == nil, !isFinished() else { return }
    let actions = scripts.open.texts(nodes: nodes.map(\.name), scheduler)
    let starts = nodes.filter(\.isStarting).map { node in
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

  private func name(of turn: ScheduleTurn?) -> String { turn.map { path.name(of: $0) } ?? "" }

  /// The steps so far.
  var path: TrialPath {
    TrialPath(nodes: nodes.map(\.name), steps: scheduler.taken)
  }
}
