import Causeway

extension TestModel {
  /// Asserts the next update that an effect sent, or an error of one that `catch:` made state.
  ///
  /// Where the test is not exhaustive, steps before the first one that fits are passed over.
  ///
  /// - Parameters:
  ///   - change: Turns the state before into the expected one after; see
  ///     ``send(_:fileID:filePath:line:column:_:)``. Without it, the update must change nothing,
  ///     also where the test is not exhaustive.
  ///   - fileID: The file of the call, where failures are shown; leave it to the compiler.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func expect(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ change: ((inout State) throws -> Void)? = nil
  ) async {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await run.drain.settle()
    defer { reportProblems(location) }
    guard
      let step = next(
        "an update", location, matching: { $0.isUpdate && fits($0, change) },
        orElse: { $0.isUpdate })
    else { return }
    guard step.isUpdate else {
      return report("Expected an update, but the next step is: \(run.names.line(step))", location)
    }
    // The absence of a closure says that nothing changes, whatever else the test asserts.
    compare(step, change, subject(step), location, wholly: exhaustivity.isOn || change == nil)
  }

  /// Takes the next step, or in a test that is not exhaustive the next one that fits.
  ///
  /// Where none fits, one that comes near makes the better report.
  func next(
    _ wanted: String,
    _ location: TestLocation,
    matching fits: (Step<State, Action>) -> Bool,
    orElse isNear: (Step<State, Action>) -> Bool = { _ in false }
  ) -> Step<State, Action>? {
    if !exhaustivity.isOn,
      let index = inbox.steps.firstIndex(where: fits) ?? inbox.steps.firstIndex(where: isNear)
    {
      passOver(inbox.takeFirst(index))
    }
    if let step = inbox.steps.first { return inbox.takeFirst().last ?? step }
    let activities = run.activities
    let running = activities.isEmpty ? "No effect is running." : "These effects are running:"
    report(
      """
      Expected \(wanted), but nothing came. \
      \(closing.map { "The model was closed by \($0.rawValue)." } ?? running)\
      \(activities.map { "\n  \($0)" }.joined())
      """, location)
    return nil
  }

  /// The cause of a step at the beginning of a sentence.
  func subject(_ step: Step<State, Action>) -> String {
    let cause = run.names.cause(of: step)
    return cause.prefix(1).uppercased() + cause.dropFirst()
  }

  /// Whether a step is what a test that is not exhaustive looks for.
  func fits(_ step: Step<State, Action>, _ change: ((inout State) throws -> Void)?) -> Bool {
    var expected = change == nil ? step.before : step.after
    if let change, (try? change(&expected)) == nil { return false }
    return areEqual(expected, step.after)
  }
}

extension Step {
  var isUpdate: Bool {
    if case .action = cause { false } else { true }
  }
}
