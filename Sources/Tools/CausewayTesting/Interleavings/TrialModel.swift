import Causeway

/// A feature in one trial of an exploration.
///
/// Unlike ``TestModel`` it does not wait for effects. Before it handles an action, it runs some of
/// the possible steps of the effects. Their number and order differ from trial to trial.
///
/// Isolation: the main actor.
@MainActor
public final class TrialModel<State: Sendable, Action: Sendable> {
  /// The clock for the effects' delays.
  public let clock: TestClock
  private let run: ControlledRun<State, Action>
  private let trace: Trace?
  private let findings = Findings()
  private let start: TestClock.Instant
  private let timePasses: Bool
  private var sendCount = 0

  init(
    _ interactor: ResolvedInteractor<State, Action>,
    initialState: State?,
    clock: TestClock,
    options: ExplorationOptions,
    isScripted: Bool,
    chooser: EffectChooser,
    trace: Trace?
  ) {
    self.clock = clock
    self.trace = trace
    start = clock.now
    timePasses = options.time.limit != nil
    run = ControlledRun(
      interactor, initialState: initialState ?? interactor.initialValue, clock: clock,
      chooser: chooser, sharing: options.search == .everyOrder ? options.sharing : .anything,
      observer: trace.map { trace in .init(onStep: { trace.add($0) }, onEffect: { trace.add($0) })
      },
      onError: { [findings] error in
        trace?.add("The runtime reports: \(error)")
        if let onError = options.onError { onError(error) } else { findings.add(error) }
      })
    run.drain.limitSteps(to: options.stepLimit, inAllCalls: true)
    run.drain.testSharesOnlyState = isScripted
    if let limit = options.time.limit { run.letTimePass(upTo: start.advanced(by: limit)) }
    trace?.follow(run)
  }

  /// The current state.
  public var state: State { run.state }

  /// Runs some possible steps of the effects, maybe none, and then handles an action.
  public func send(_ action: Action) async {
    await send(action, index: sendCount)
  }

  /// Like ``send(_:)``, for an action with an index in a script that may be shortened.
  func send(_ action: Action, index: Int) async {
    sendCount += 1
    await run.drain.runSome()
    trace?.add("the test sends \(Abbreviation.value(action))")
    run.send(action, index: index)
  }

  /// Runs the effects until they need more time or input.
  public func settle() async {
    await run.drain.settle()
  }

  /// The first runtime error that the caller does not handle.
  var finding: RuntimeError? {
    run.reportDefaultReads()
    return findings.first
  }

  /// Describes effects that have used up the steps of the trial; `nil` if there are none.
  var endlessness: String? { run.endlessness }

  /// Runs a closure of the test, which may wait for effects.
  ///
  /// Returns early if the effects use up their steps while the closure waits. It is then cancelled,
  /// and its outcome is ignored.
  func untilStarvation(
    _ body: @escaping @MainActor () async throws -> Void
  ) async throws {
    let outcome = Outcome()
    // The continuations of the test itself resume in the order of the main actor's queue.
    let work = Task {
      await withTaskExecutorPreference(MainTurnExecutor.shared) { await outcome.set(by: body) }
    }
    run.drain.onStarvation = {
      work.cancel()
      outcome.set(.success(()))
    }
    defer { run.drain.onStarvation = nil }
    try await withTaskCancellationHandler {
      try await withTaskExecutorPreference(MainTurnExecutor.shared) { try await outcome.value }
    } onCancel: {
      work.cancel()
    }
  }

  /// Ends the choices, and returns them with the turn of each step.
  ///
  /// With ``ExplorationOptions/Sharing/fields``, the changes of the state are repeated on copies.
  func endChoices() -> EffectChooser { run.endChoices() }

  /// The reason why the trial shows nothing; `nil` if its effects were explored and have ended.
  ///
  /// Call it when nothing can run any more.
  func vacuity() async -> String? {
    let activities = run.activities
    let list = activities.map { "\n  \($0)" }.joined()
    if run.endedEffectCount == 0 {
      return activities.isEmpty
        ? "No effect was started, so there is no order to explore."
        : "No effect has ended. These wait:\(list)"
    }
    if !timePasses, clock.now == start, activities.contains(where: \.isAsleep) {
      return "Effects sleep on a clock that was never advanced:\(list)"
    }
    var stuck = activities.filter(\.isStuck)
    for _ in 0..<3 where !stuck.isEmpty && !clock.hasSleepers {
      // A task on other threads may be about to sleep, or to let an effect continue.
      await Task { @concurrent in }.value
      stuck = run.activities.filter(\.isStuck)
    }
    // An effect may wait for another task that sleeps, and thus for time that does not pass.
    if stuck.isEmpty || clock.hasSleepers { return nil }
    return "Effects have not ended:\(stuck.map { "\n  \($0)" }.joined())"
  }

  func close() async {
    await run.close()
  }
}

/// Records runtime errors, which fail the trial regardless of its check.
@MainActor
private final class Findings {
  private(set) var first: RuntimeError?

  func add(_ error: RuntimeError) {
    switch error {
    // In some orders an effect removes the child or closes the dialog before the user's action
    // arrives. This is not a mistake in the test.
    case .missingChild, .answerNotOffered: break
    // The effects of two actions may be meant to replace each other.
    case .sharedCall: break
    default: first = first ?? error
    }
  }
}

/// The first outcome of several tasks.
@MainActor
private final class Outcome {
  private var result: Result<Void, any Error>?
  private var waiter: UnsafeContinuation<Void, Never>?

  func set(_ result: Result<Void, any Error>) {
    if self.result == nil { self.result = result }
    waiter.take()?.resume()
  }

  /// Runs a closure, and stores its outcome.
  func set(by body: @MainActor () async throws -> Void) async {
    do {
      try await body()
      set(.success(()))
    } catch {
      set(.failure(error))
    }
  }

  /// Waits for the outcome; call it once.
  var value: Void {
    get async throws {
      if result == nil { await withUnsafeContinuation { waiter = $0 } }
      try result?.get()
    }
  }
}
