import Causeway

/// A feature in one trial of an exploration.
///
/// Unlike ``TestModel`` it does not wait for effects: before it handles an action, it runs some of
/// the steps that the effects could take, in an order that differs from trial to trial.
///
/// Isolation: the main actor.
@MainActor
public final class TrialModel<State: Sendable, Action: Sendable> {
  /// The clock of the effects' delays.
  public let clock: TestClock
  private let run: ControlledRun<State, Action>
  private let trace: Trace?
  private let findings = Findings()
  private let start: TestClock.Instant
  private let timePasses: Bool
  private var sendCount = 0

  init(
    _ interactor: ResolvedInteractor<State, Action>,
    clock: TestClock,
    time: ExplorationOptions.Time,
    chooser: Chooser,
    trace: Trace?,
    onError: (@MainActor (RuntimeError) -> Void)?
  ) {
    self.clock = clock
    self.trace = trace
    start = clock.now
    timePasses = time.limit != nil
    run = ControlledRun(
      interactor, initialState: interactor.initialValue, clock: clock, chooser: chooser,
      observer: trace.map { trace in .init(onStep: { trace.add($0) }, onEffect: { trace.add($0) })
      },
      onError: { [findings] error in
        trace?.add("The runtime reports: \(error)")
        if let onError { onError(error) } else { findings.add(error) }
      })
    if let limit = time.limit { run.letTimePass(upTo: start.advanced(by: limit)) }
    trace?.follow(run)
  }

  /// The state at this moment.
  public var state: State { run.state }

  /// Lets the effects take some of their possible steps, maybe none, and then handles an action.
  public func send(_ action: Action) async {
    await send(action, index: sendCount)
  }

  /// Does the same for an action with a place in a script, of which a part may be left out.
  func send(_ action: Action, index: Int) async {
    sendCount += 1
    await run.drain.runSome()
    trace?.add("the test sends \(Abbreviation.value(action))")
    run.send(action, index: index)
  }

  /// Lets the effects go on until they need more time or input.
  public func settle() async {
    await run.drain.settle()
  }

  /// The first error of the feature that the runtime reported and the caller does not take.
  var finding: RuntimeError? { findings.first }

  /// The choices of the trial so far, and whose turn each step was.
  var chooser: Chooser { run.drain.chooser }

  /// Why the trial says nothing about the order of effects; `nil` if it does.
  ///
  /// Asked for when nothing can go on any more.
  var vacuity: String? {
    let activities = run.activities
    let list = activities.map { "\n  \($0)" }.joined()
    if run.endedEffectCount == 0 {
      return activities.isEmpty
        ? "No effect was started, so there is no order to explore."
        : "No effect has ended. These wait:\(list)"
    }
    if !timePasses, clock.now == start, activities.contains(where: \.isAsleep) {
      return "Effects sleep on a clock that was never moved:\(list)"
    }
    return nil
  }

  func close() async {
    await run.close()
  }
}

/// Keeps what makes a trial a failure, whatever its check says.
@MainActor
private final class Findings {
  private(set) var first: RuntimeError?

  func add(_ error: RuntimeError) {
    // In some orders an effect removes the child before the user's action comes: not a mistake.
    if case .missingChild = error { return }
    first = first ?? error
  }
}
