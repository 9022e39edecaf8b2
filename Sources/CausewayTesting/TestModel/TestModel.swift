public import Causeway

/// Runs an interactor for a test that asserts each step.
///
/// ```swift
/// @Test @MainActor func `search shows results`() async {
///   let clock = TestClock()
///   let model = TestModel(SearchInteractor(api: .found(["swift"])), clock: clock)
///   await model.send(.edit("sw")) { $0.query = "sw" }
///   await clock.advance(by: .milliseconds(300))
///   await model.expect { $0.isLoading = true }
///   await model.receive(\.loaded) { $0.results = ["swift"] }
///   await model.finish()
/// }
/// ```
///
/// It uses the runtime of `ViewModel`, with two differences. Effects run on a queue of the model,
/// so each call returns when nothing can continue without more time or input. The model also stores
/// every step until an assertion takes it.
///
/// Failures are reported at the line of the assertion, to Swift Testing or XCTest.
///
/// Isolation: the main actor. The work of effects also runs there, but is not isolated to it.
/// Isolate the test to the main actor as well. A model that is released elsewhere reports
/// unasserted steps in a later turn of the main actor, which may be after the end of the test.
@MainActor
public final class TestModel<State: Sendable, Action: Sendable> {
  /// The steps that the test must assert.
  ///
  /// May be changed at any time.
  public var exhaustivity: Exhaustivity
  /// The clock for the effects' delays.
  public let clock: TestClock

  let run: ControlledRun<State, Action>
  let inbox: StepInbox<State, Action>
  let areEqual: @MainActor (State, State) -> Bool
  let reporter: FailureReporter
  private let origin: TestLocation
  /// The test that runs when the model is made; `nil` if the reporter does not need it.
  private let context: TestContext?
  /// The call that closed the model; `nil` while it accepts actions.
  var closing: Closing?
  /// Whether endless effects were reported.
  var hasReportedEndlessness = false

  /// Makes a model for a state that can be compared.
  ///
  /// - Parameters:
  ///   - interactor: Resolved once, in this call.
  ///   - initialState: The state to start with. Default: the interactor's initial value.
  ///   - clock: The clock for the delays of effect policies.
  ///   - exhaustivity: The steps that the test must assert. Default: all steps.
  ///   - seed: Decides the order of effects that are ready at the same time.
  ///   - observer: Receives every step, for example a ``Recorder``'s observer.
  ///   - reporter: Receives the failures. Default: the running test.
  ///   - onError: Receives errors that no effect catches, and misuse that is detected at run time.
  ///     Without it, the next assertion fails for them.
  ///   - fileID: The file of the call, where failures are shown; leave it to the compiler.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public convenience init(
    _ interactor: some Interactor<State, Action>,
    initialState: State? = nil,
    clock: TestClock = TestClock(),
    exhaustivity: Exhaustivity = .on,
    seed: UInt64 = 0,
    observer: StepObserver<State, Action>? = nil,
    reporter: FailureReporter = .automatic,
    onError: (@MainActor (RuntimeError) -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) where State: Equatable {
    self.init(
      interactor, initialState: initialState, clock: clock, exhaustivity: exhaustivity, seed: seed,
      observer: observer, reporter: reporter, onError: onError, fileID: fileID, filePath: filePath,
      line: line,
      column: column, areEqual: { $0 == $1 })
  }

  /// Makes a model for any state, with a comparison from the caller.
  ///
  /// The other parameters are those of
  /// ``init(_:initialState:clock:exhaustivity:seed:observer:reporter:onError:fileID:filePath:line:column:)``.
  ///
  /// `areEqual` returns whether two states count as equal.
  public init(
    _ interactor: some Interactor<State, Action>,
    initialState: State? = nil,
    clock: TestClock = TestClock(),
    exhaustivity: Exhaustivity = .on,
    seed: UInt64 = 0,
    observer: StepObserver<State, Action>? = nil,
    reporter: FailureReporter = .automatic,
    onError: (@MainActor (RuntimeError) -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    areEqual: @escaping @MainActor (State, State) -> Bool
  ) {
    let inbox = StepInbox<State, Action>()
    let resolved = interactor.resolve()
    self.clock = clock
    self.exhaustivity = exhaustivity
    self.inbox = inbox
    self.areEqual = areEqual
    self.reporter = reporter
    self.context = reporter.asksForTest ? TestContext() : nil
    self.origin = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    self.run = ControlledRun(
      resolved, initialState: initialState ?? resolved.initialValue, clock: clock,
      chooser: Chooser(seed: seed),
      observer: .init(
        onStep: {
          inbox.append($0)
          observer?.observe($0)
        }, onEffect: { observer?.observeEffect?($0) }),
      onError: onError ?? { inbox.add($0) })
    run.drain.onStarvation = { [weak self] in self?.reportStarvation() }
  }

  isolated deinit {
    guard closing != .finish, exhaustivity.isOn else { return }
    run.reportDefaultReads()
    let rest = inbox.steps.map { "\n  \(run.names.line($0))" } + run.activities.map { "\n  \($0)" }
    if rest.isEmpty, inbox.problems.isEmpty { return }
    let message = """
      The test model was released before finish() was called, and not everything was asserted:\
      \(rest.joined())\(inbox.problems.map { "\n  \($0)" }.joined())
      """
    reportInContext(message)
  }

  /// Reports endless effects while the test waits, because it may wait for ever.
  private func reportStarvation() {
    if let message = takeEndlessness() { reportInContext(message) }
  }

  /// Reports a failure from code without task-local values, which cannot identify the running test.
  private func reportInContext(_ message: String) {
    guard let context else { return report(message, origin) }
    context.perform { [reporter, origin] in reporter.report(message, origin) }
  }

  /// The number of steps in which the effects must come to rest; positive.
  ///
  /// A step is a part of an effect between two suspensions, a turn of the main actor, or an advance
  /// of the clock. Effects that take more steps after one call of the test run forever, and the test
  /// fails. Default: 100,000.
  public var stepLimit: Int {
    get { run.drain.stepLimit }
    set { run.drain.limitSteps(to: newValue, inAllCalls: false) }
  }

  /// The current state, after all steps, asserted or not.
  public var state: State { run.state }

  /// The effects that run, sleep or wait, in the order of their requests.
  public var runningEffects: [EffectActivity] { run.activities }

  func report(_ message: String, _ location: TestLocation) {
    reporter.report(message, location)
  }
}
