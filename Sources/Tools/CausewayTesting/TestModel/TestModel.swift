public import Causeway
import CausewaySystem

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

  private let run: ControlledRun<State, Action>
  private let inbox: StepInbox<State, Action>
  private let areEqual: @MainActor (State, State) -> Bool
  private let reporter: FailureReporter
  private let origin: TestLocation
  /// The test that runs when the model is made; `nil` if the reporter does not need it.
  private let context: StoredTaskLocals?
  /// The call that closed the model; `nil` while it accepts actions.
  private(set) var closing: Closing?
  /// Whether endless effects were reported.
  private var hasReportedEndlessness = false

  /// Makes a model for a state that can be compared.
  ///
  /// A number that is not a number (`.nan`) counts as equal to itself in assertions.
  ///
  /// - Parameters:
  ///   - interactor: Resolved once, in this call.
  ///   - initialState: The state to start with. Default: the interactor's initial value.
  ///   - clock: The clock for the delays of effect policies.
  ///   - exhaustivity: The steps that the test must assert. Default: all steps.
  ///   - seed: Decides the order of effects that are ready at the same time.
  ///   - observer: Receives every step.
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
      column: column,
      areEqual: { SameValue.isEqual($0, $1) })
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
    self.context = reporter.asksForTest ? StoredTaskLocals() : nil
    self.origin = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    self.run = ControlledRun(
      resolved, initialState: initialState ?? resolved.initialValue, clock: clock,
      chooser: EffectChooser(seed: seed),
      observer: .init(
        onStep: {
          inbox.append($0)
          observer?.observe?($0)
        }, onEffect: { observer?.observeEffect?($0) }),
      onError: { error in
        if let onError, !error.isDismissal { onError(error) } else { inbox.add(error) }
      })
    run.drain.onStarvation = { [weak self] in self?.reportStarvation() }
  }

  isolated deinit {
    guard closing != .finish, exhaustivity.isOn else { return }
    run.reportDefaultReads()
    let rest =
      inbox.steps.map { "\n  \(run.names.line($0))" }
      + inbox.dismissals.map { "\n  the dismissal by effect \($0)" }
      + run.activities.map { "\n  \($0)" }
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

  /// Runs everything that can run, after the test has given input to an effect.
  ///
  /// All other calls do this too.
  public func settle() async {
    await run.drain.settle()
  }

  /// Closes the model: cancels all effects, and returns after they have ended.
  func close(by closing: Closing) async {
    self.closing = closing
    await run.close()
  }

  /// Handles an action of the test, and asserts its change of the state.
  func perform(
    _ action: Action,
    _ change: ((inout State) throws -> Void)?,
    _ location: TestLocation
  ) async -> ActionTask {
    let task = run.send(action)
    if let step = inbox.take(0) {
      compare(
        step, change, "The action \(Abbreviation.value(action))", location,
        wholly: exhaustivity.isOn)
    }
    await settle()
    reportProblems(location)
    return task
  }

  /// Asserts the next step of an effect, or of any effect.
  ///
  /// - Parameters:
  ///   - wanted: The expected step, for failures.
  ///   - isWhole: Whether changes other than the expected one are failures even in a test that is
  ///     not exhaustive.
  ///   - isWanted: Whether a step is of the expected kind.
  ///   - isBetter: Whether a test that is not exhaustive prefers a step to other steps of the kind.
  func assertNext(
    _ wanted: String,
    from effect: EffectID?,
    _ location: TestLocation,
    _ change: ((inout State) throws -> Void)?,
    wholly isWhole: Bool = false,
    where isWanted: (Step<State, Action>) -> Bool,
    preferring isBetter: ((Step<State, Action>) -> Bool)? = nil
  ) async {
    await settle()
    defer { reportProblems(location) }
    guard
      let step = next(wanted, from: effect, location, where: isWanted, preferring: isBetter)
    else { return }
    guard isWanted(step) else { return reportWrong(step, wanted, from: effect, location) }
    compare(step, change, subject(step), location, wholly: exhaustivity.isOn || isWhole)
  }

  /// Takes the next step of an effect, or of any effect.
  ///
  /// If the test is not exhaustive, it takes the best step. If there is no wanted step, it takes
  /// the next one, for the report.
  private func next(
    _ wanted: String,
    from effect: EffectID?,
    _ location: TestLocation,
    where isWanted: (Step<State, Action>) -> Bool,
    preferring isBetter: ((Step<State, Action>) -> Bool)?
  ) -> Step<State, Action>? {
    let steps = inbox.steps
    let candidates = steps.indices.filter { effect == nil || steps[$0].effect == effect }
    var place = 0
    if !exhaustivity.isOn {
      place =
        isBetter.flatMap { isBetter in
          candidates.firstIndex { isWanted(steps[$0]) && isBetter(steps[$0]) }
        } ?? candidates.firstIndex { isWanted(steps[$0]) } ?? 0
      let skipped = candidates.prefix(place)
      passOver(skipped.map { steps[$0] })
      for index in skipped.reversed() { _ = inbox.take(index) }
    }
    // The skipped steps were removed before this step, so its index is smaller now.
    if place < candidates.count { return inbox.take(candidates[place] - place) }
    let activities = run.activities
    let running = activities.isEmpty ? "No effect is running." : "These effects are running:"
    report(
      """
      Expected \(wanted)\(Self.source(effect)), but nothing came. \
      \(closing.map { "The model was closed by \($0.rawValue)." } ?? running)\
      \(activities.map { "\n  \($0)" }.joined())
      """, location)
    return nil
  }

  /// Fails because the next step differs from the expected step.
  private func reportWrong(
    _ step: Step<State, Action>, _ wanted: String, from effect: EffectID?, _ location: TestLocation
  ) {
    // A test that is not exhaustive has searched all stored steps.
    let found = exhaustivity.isOn ? "the next step is" : "no stored step matches. The next step is"
    report(
      """
      Expected \(wanted)\(Self.source(effect)), but \(found): \(run.names.line(step))
      """, location)
  }

  private static func source(_ effect: EffectID?) -> String {
    effect.map { " from effect \($0)" } ?? ""
  }

  /// The cause of a step, for the beginning of a sentence.
  private func subject(_ step: Step<State, Action>) -> String {
    let cause = run.names.cause(of: step)
    return cause.prefix(1).uppercased() + cause.dropFirst()
  }

  /// Whether a step matches, in a test that is not exhaustive.
  func fits(_ step: Step<State, Action>, _ change: ((inout State) throws -> Void)?) -> Bool {
    var expected = change == nil ? step.before : step.after
    if let change, (try? change(&expected)) == nil { return false }
    return areEqual(expected, step.after)
  }

  /// Fails if there are steps that no assertion has taken, and removes them.
  func requireNothingLeft(before what: @autoclosure () -> String, _ location: TestLocation) {
    let dismissals = inbox.takeDismissals()
    if exhaustivity.isOn, let effect = dismissals.first {
      report(
        """
        Before \(what()), the effect \(effect) dismissed the feature, which was not asserted. \
        Assert it with expectDismissal().
        """, location)
    }
    guard !inbox.steps.isEmpty else { return }
    let steps = inbox.takeAll()
    if exhaustivity.isOn {
      report(
        """
        Before \(what()), \(steps.count) \(steps.count == 1 ? "step was" : "steps were") not \
        asserted:\(steps.map { "\n  \(run.names.line($0))" }.joined())
        Assert them with expect { } and receive(…), or call skipSteps().
        """, location)
    } else {
      passOver(steps)
    }
  }

  /// Removes all steps that no assertion has taken.
  func takeSteps() -> [Step<State, Action>] {
    _ = inbox.takeDismissals()
    return inbox.takeAll()
  }

  /// Asserts that an effect, or any effect, has dismissed the feature.
  func assertDismissal(by effect: EffectID?, _ location: TestLocation) async {
    await settle()
    defer { reportProblems(location) }
    if inbox.takeDismissal(of: effect) { return }
    let activities = run.activities
    report(
      """
      Expected that \(effect.map { "the effect \($0)" } ?? "an effect") dismisses the feature, but \
      none did. \(activities.isEmpty ? "No effect is running." : "These effects are running:")\
      \(activities.map { "\n  \($0)" }.joined())
      """, location)
  }

  /// Prints the steps that an assertion skips, if the exhaustivity requires it.
  private func passOver(_ steps: [Step<State, Action>]) {
    guard case .off(report: true) = exhaustivity else { return }
    for step in steps { print("TestModel skipped: \(PrintableText.escaped(run.names.line(step)))") }
  }

  /// Fails for the errors that the runtime reported since the last assertion.
  func reportProblems(_ location: TestLocation) {
    run.reportDefaultReads()
    for problem in inbox.problems { report("\(problem)", location) }
    inbox.problems = []
    guard let text = takeEndlessness() else { return }
    report(text, location)
    // The steps of endless effects are too many to report.
    _ = inbox.takeAll()
  }

  /// Describes effects that have used up their steps, once.
  private func takeEndlessness() -> String? {
    guard let endlessness = run.endlessness, !hasReportedEndlessness else { return nil }
    hasReportedEndlessness = true
    return """
      The effects did not come to rest within \(stepLimit) steps. Nothing runs any more in \
      this test. \(endlessness)
      Let the effects wait for something, such as the test clock. If the test is only long, raise \
      the model's stepLimit.
      """
  }

  /// Compares a step with its expected change.
  ///
  /// - Parameter isWhole: Whether changes other than the expected one are failures too.
  private func compare(
    _ step: Step<State, Action>,
    _ change: ((inout State) throws -> Void)?,
    _ subject: @autoclosure () -> String,
    _ location: TestLocation,
    wholly isWhole: Bool
  ) {
    lazy var subject = subject()
    var expected = isWhole ? step.before : step.after
    do {
      try change?(&expected)
    } catch {
      return report("\(subject): the expected change threw \(error).", location)
    }
    if areEqual(expected, step.after) {
      // A closure that changes nothing is usually a mistake, because it asserts nothing.
      if exhaustivity.isOn, change != nil, areEqual(step.before, step.after) {
        report(
          "\(subject) changed nothing, and nothing was expected. Leave the closure out.", location)
      }
      return
    }
    let what =
      if change == nil, isWhole {
        "\(subject) changed the state; no change was expected:"
      } else {
        "\(subject) led to another state than expected:"
      }
    report("\(what)\n\(Difference(expected: expected, actual: step.after))", location)
  }
}

extension Step {
  var isUpdate: Bool {
    if case .action = cause { false } else { true }
  }

  /// The effect that caused the step.
  fileprivate var effect: EffectID? {
    switch cause {
    case .action(_, let effect): effect
    case .update(let effect), .failure(let effect): effect
    }
  }
}

extension RuntimeError {
  fileprivate var isDismissal: Bool {
    if case .nothingToDismiss = self { true } else { false }
  }
}
