public import Causeway

/// Runs an interactor for a test that asserts each step of it.
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
/// It uses the runtime of `ViewModel`, with two differences. Effects run on a queue that the model
/// empties, so each call returns when nothing can go on without more time or input. And the model
/// keeps every step until an assertion takes it.
///
/// Failures are reported at the line of the assertion, to Swift Testing or XCTest.
///
/// Isolation: the main actor. The work of effects runs there too, but is not isolated to it. Make the
/// test main-actor isolated as well: a model that is released elsewhere reports what was not asserted
/// in a later turn of the main actor, which may be after the end of the test.
@MainActor
public final class TestModel<State: Sendable, Action: Sendable> {
  /// How much the test has to assert; may be changed at any time.
  public var exhaustivity: Exhaustivity
  /// The clock of the effects' delays.
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

  /// Makes a model for a state that can be compared.
  ///
  /// - Parameters:
  ///   - interactor: Resolved once, here.
  ///   - initialState: The state to start with. Default: the interactor's initial value.
  ///   - clock: The clock of the delays of effect policies.
  ///   - exhaustivity: How much the test has to assert. Default: everything.
  ///   - seed: Decides the order of effects that are ready at the same time.
  ///   - observer: Receives every step, for a ``Recorder`` for example.
  ///   - reporter: Where failures go. Default: to the running test.
  ///   - onError: Receives errors that no effect catches, and misuse found at run time. Without it
  ///     they are failures of the next assertion.
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

  /// Makes a model for any state, with a comparison that the caller gives.
  ///
  /// The other parameters are those of
  /// ``init(_:initialState:clock:exhaustivity:seed:observer:reporter:onError:fileID:filePath:line:column:)``.
  ///
  /// - Parameter areEqual: Whether two states count as the same.
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
      onError: onError ?? { inbox.problems.append($0) })
  }

  isolated deinit {
    guard closing != .finish, exhaustivity.isOn else { return }
    let rest = inbox.steps.map { "\n  \(run.names.line($0))" } + run.activities.map { "\n  \($0)" }
    if rest.isEmpty, inbox.problems.isEmpty { return }
    let message = """
      The test model was released before finish() was called, and not everything was asserted:\
      \(rest.joined())\(inbox.problems.map { "\n  \($0)" }.joined())
      """
    guard let context else { return report(message, origin) }
    // Here no test is running: an isolated `deinit` has no task-local values.
    context.perform { [reporter, origin] in reporter.report(message, origin) }
  }

  /// The state at this moment, after all steps, asserted or not.
  public var state: State { run.state }

  /// The effects that run, sleep or wait, in the order of their requests.
  public var runningEffects: [EffectActivity] { run.activities }

  func report(_ message: String, _ location: TestLocation) {
    reporter.report(message, location)
  }
}

/// The steps that no assertion has taken yet.
@MainActor
final class StepInbox<State: Sendable, Action: Sendable> {
  private(set) var steps: [Step<State, Action>] = []
  var problems: [RuntimeError] = []

  func append(_ step: Step<State, Action>) {
    steps.append(step)
  }

  /// Removes the step at an index; `nil` if there is none.
  func take(_ index: Int) -> Step<State, Action>? {
    steps.indices.contains(index) ? steps.remove(at: index) : nil
  }

  /// Removes all steps.
  func takeAll() -> [Step<State, Action>] {
    defer { steps = [] }
    return steps
  }
}
