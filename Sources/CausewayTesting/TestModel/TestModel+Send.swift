import Causeway
import CausewaySystem

extension TestModel {
  /// Sends an action and asserts its change of the state.
  ///
  /// Returns when nothing that the action caused can continue without more time or input. The
  /// asserted change is the change that the handlers of this action make. Assert later steps of its
  /// effects with ``expect(from:fileID:filePath:line:column:_:)`` and
  /// ``receive(_:from:fileID:filePath:line:column:_:)-(Action,_,_,_,_,_,_)``. After
  /// ``cancelEffects()`` or ``finish(fileID:filePath:line:column:)`` this call fails, and the
  /// action is not handled.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - change: Turns the state before the action into the expected state after it. Without it,
  ///     the state must stay the same. If the test is not exhaustive, the closure is applied to the
  ///     actual state after the action, and must not change that state.
  ///   - fileID: The file of the call, where failures are shown; leave it to the compiler.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: Everything that the action started, to require its end or to cancel it.
  @discardableResult
  public func send(
    _ action: Action,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ change: ((inout State) throws -> Void)? = nil
  ) async -> TestActionTask<State, Action> {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    if let closing {
      report(
        """
        The model was closed by \(closing.rawValue), so the action \(Abbreviation.value(action)) \
        was not handled. Send the action earlier, or to another model.
        """, location)
      return TestActionTask(model: self, action: action, task: nil)
    }
    requireNothingLeft(before: "sending \(Abbreviation.value(action))", location)
    let task = run.send(action)
    if let step = inbox.take(0) {
      compare(
        step, change, "The action \(Abbreviation.value(action))", location,
        wholly: exhaustivity.isOn)
    }
    await run.drain.settle()
    reportProblems(location)
    return TestActionTask(model: self, action: action, task: task)
  }

  /// Fails if there are steps that no assertion has taken, and removes them.
  func requireNothingLeft(before what: @autoclosure () -> String, _ location: TestLocation) {
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

  /// Prints the steps that an assertion skips, if the exhaustivity requires it.
  func passOver(_ steps: [Step<State, Action>]) {
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
    // Their thousands of steps are no help.
    _ = inbox.takeAll()
  }

  /// Describes effects that have used up their steps, once.
  func takeEndlessness() -> String? {
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
  func compare(
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
