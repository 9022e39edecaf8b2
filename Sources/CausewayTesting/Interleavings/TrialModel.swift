import Causeway

/// A feature in one trial of an exploration.
///
/// Unlike ``TestModel`` it does not wait for effects: before an action is handled, a part of what
/// the effects could do is done, in an order that is different in each trial.
///
/// Isolation: the main actor.
@MainActor
public final class TrialModel<State: Sendable, Action: Sendable> {
  /// The clock of the effects' delays.
  public let clock: TestClock
  private let run: ControlledRun<State, Action>
  private let trace: Trace?
  private let findings = Findings()

  init(
    _ interactor: ResolvedInteractor<State, Action>,
    initialState: State?,
    clock: TestClock,
    chooser: Chooser,
    trace: Trace?,
    onError: (@MainActor (RuntimeError) -> Void)?
  ) {
    self.clock = clock
    self.trace = trace
    var onStep: (@MainActor (Step<State, Action>) -> Void)?
    var onEffect: (@MainActor (EffectEvent) -> Void)?
    if let trace {
      onStep = { trace.add($0) }
      onEffect = { trace.add($0) }
    }
    run = ControlledRun(
      interactor, initialState: initialState ?? interactor.initialValue, clock: clock,
      chooser: chooser,
      onStep: onStep, onEffect: onEffect,
      onError: { [findings] error in
        trace?.add("The runtime reports: \(error)")
        if let onError { onError(error) } else { findings.add(error) }
      })
    if let trace { run.drain.onRun = { trace.add("\($0.label) goes on") } }
  }

  /// The state at this moment.
  public var state: State { run.state }

  /// Lets the effects do some of what they can do, maybe nothing, and then handles an action.
  public func send(_ action: Action) async {
    await run.drain.runSome()
    trace?.add("the test sends \(Abbreviation.one("\(action)"))")
    run.send(action)
  }

  /// Lets the effects do everything that they can do without more time or input.
  public func settle() async {
    await run.drain.settle()
  }

  /// What the runtime found wrong with the feature, if nobody else takes that.
  var finding: RuntimeError? { findings.first }

  /// The choices of the trial so far.
  var choices: [Chooser.Choice] { run.drain.chooser.choices }

  func close() async {
    await run.close()
  }
}

/// Keeps what makes a trial a failure, whatever its check says.
@MainActor
private final class Findings {
  private(set) var first: RuntimeError?

  func add(_ error: RuntimeError) {
    // The user is late in some orders, and taps what an effect has just taken away: no mistake.
    if case .missingChild = error { return }
    first = first ?? error
  }
}
