#if compiler(>=6.3)
  import CausewaySystem
  import Synchronization

  /// One run of the closure, in one order.
  ///
  /// Isolation: only the thread of its scheduler may use it.
  @available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *)
  final class ExplorationTrial: SchedulerOwner {
    /// The result of a trial.
    struct Result {
      var reason: ExplorationReason?
      /// The order, with all of its choices.
      let order: TrialOrder
      let choices: [TaskChooser.Choice]
      /// A hash of all steps.
      let trace: UInt64
      /// The functions of the system whose values were not simulated.
      let realValues: [String]
    }

    /// How the closure has ended.
    private final class Ending: Sendable {
      enum Outcome: Sendable {
        case returned
        case threw(String, isCancellation: Bool)
        case broke(String)
      }

      let outcome = Mutex<Outcome?>(nil)
    }

    private let settings: ExplorationSettings
    private let order: TrialOrder
    private let search: TaskChooser
    private let scheduler: Scheduler
    let assertions: AssertionLog
    private let ending = Ending()
    /// The random numbers of the system, the same in each trial.
    private var random = SplitMix64(seed: 0)

    init(
      _ order: TrialOrder, _ settings: ExplorationSettings, _ log: AssertionLog,
      table: StepTable? = nil
    ) {
      self.order = order
      self.settings = settings
      assertions = log
      search = TaskChooser(order)
      scheduler = Scheduler(search, followsTasks: true)
      scheduler.owner = self
      scheduler.hasLateTimers = settings.hasLateTimers
      scheduler.mayCancel = settings.cancelsTasks
      if let table {
        scheduler.onStep = { [search, unowned scheduler] turn, task in
          table.add(
            turn, task, name: scheduler.unfinished.name(of: turn.task),
            mark: turn.isCancellation ? nil : search.lastMark)
        }
      }
    }

    func run(_ body: @escaping @Sendable () async throws -> Void) -> Result {
      _ = assertions.take()
      scheduler.announce("\(order)")
      SimulatedSystem.nameTraps(
        "The trial that ends the process is repeated with the argument replaying: \"\(order)\"")
      defer { SimulatedSystem.nameTraps(nil) }
      let result = scheduler.withThread("\(order)", threads: 0) {
        begin(body)
        let reason = runToEnd()
        // The steps that clean up are not part of the order.
        let result = Result(
          reason: reason, order: TrialOrder(choices: search.choices.map(\.taken)),
          choices: search.choices, trace: scheduler.trace, realValues: scheduler.realValues)
        scheduler.onStep = nil
        scheduler.mayCancel = false
        finish()
        scheduler.drop()
        return result
      }
      scheduler.end()
      scheduler.dismiss()
      return result
    }

    private func begin(_ body: @escaping @Sendable () async throws -> Void) {
      let ending = ending
      _ = Task(executorPreference: SimulationTaskExecutor.shared) { @concurrent in
        let outcome: Ending.Outcome
        do {
          try await body()
          outcome = .returned
        } catch let error as UnexplainedHistory {
          outcome = .broke("\(error)")
        } catch {
          outcome = .threw("\(error)", isCancellation: error is CancellationError)
        }
        ending.outcome.withLock { $0 = outcome }
      }
    }

    /// A time that no trial reaches.
    private static let end = Duration.seconds(1_000_000_000)

    /// Runs the closure, and then the other tasks as long as they need no time.
    private func runToEnd() -> ExplorationReason? {
      var hasEnded: Bool { ending.outcome.withLock { $0 != nil } }
      if let reason = go(until: Self.end, isDone: { hasEnded }) { return reason }
      guard let outcome = ending.outcome.withLock({ $0 }) else {
        guard let explain = scheduler.explainWaiting else {
          return .waits(texts(of: scheduler.unfinished))
        }
        return explain().map { .history($0) }
      }
      if let reason = go(until: scheduler.now, isDone: { false }) { return reason }
      if case .threw(let error, let isCancellation) = outcome,
        !(isCancellation && settings.cancelsTasks)
      {
        return .error(error)
      }
      if case .broke(let text) = outcome { return .history(text) }
      if settings.allowsUnfinishedTasks || scheduler.unfinished.isEmpty { return nil }
      return .unfinished(texts(of: scheduler.unfinished))
    }

    private func go(until limit: Duration, isDone: () -> Bool) -> ExplorationReason? {
      let ending = scheduler.run(until: limit) { assertions.hasFailures || isDone() }
      if assertions.hasFailures { return .assertions(assertions.take()) }
      return switch ending {
      case .spin: .spin(name(of: scheduler.spinning))
      case .idling: .idling(name(of: scheduler.busiest))
      case .escape(let escape): .escape(escape)
      case .condition, .limit, .nothingLeft: nil
      }
    }

    /// Lets the remaining tasks end.
    ///
    /// Otherwise, they would keep the memory of the trial.
    private func finish() {
      for (_, task) in scheduler.unfinished.all { task.cancel() }
      var steps = 0
      _ = scheduler.run(until: Self.end) {
        steps += 1
        return steps > 1_000
      }
    }

    private func name(of turn: ScheduleTurn?) -> String {
      guard let turn, let task = scheduler.unfinished[turn.task] else { return "A task" }
      return text(of: task, number: turn.task)
    }

    private func texts(of tasks: UnfinishedTasks) -> [String] {
      tasks.isEmpty ? ["a task"] : tasks.all.map { text(of: $0.task, number: $0.number) }
    }

    private func text(of task: Task<Void, Never>, number: Int) -> String {
      let places = WaitingPlace.all(of: task).map { place in
        FunctionName.short(place.function) + (place.line.map { " (\($0))" } ?? "")
      }
      let name =
        scheduler.unfinished.name(of: number).map { "the task \"\($0)\"" }
        ?? (number == 1 ? "the test" : "task \(number)")
      return places.isEmpty ? name : "\(name) in \(places.joined(separator: " in "))"
    }

    // MARK: - SchedulerOwner

    func systemTime(isWall: Bool) -> Int64 {
      let start =
        isWall
        ? Int64(SimulatedSystem.startOfTime) * 1_000_000_000 : SimulatedSystem.startOfUptime
      return start + scheduler.now.nanoseconds
    }

    func randomize(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
      for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
    }
  }
#endif
