extension TestModel {
  /// Ends the test: fails for steps that were not asserted and for effects that have not ended.
  ///
  /// All effects are then cancelled. If the test is not exhaustive, it fails only for errors that
  /// the runtime has reported since the last assertion. The model accepts no action afterwards.
  public func finish(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await settle()
    requireNothingLeft(before: "the end of the test", location)
    reportProblems(location)
    let activities = runningEffects
    if exhaustivity.isOn, !activities.isEmpty {
      report(
        """
        At the end of the test \(activities.count) \
        \(activities.count == 1 ? "effect has" : "effects have") not ended:\
        \(activities.map { "\n  \($0)" }.joined())
        Advance the clock, give the effects their input, cancel them, or call cancelEffects().
        """, location)
    }
    await close(by: .finish)
  }

  /// Skips all steps that no assertion has taken yet.
  ///
  /// - Parameters:
  ///   - strict: Whether the call fails if there are none. Default: false.
  ///   - fileID: The file of the call, where failures are shown; leave it to the compiler.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func skipSteps(
    strict: Bool = false,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await settle()
    if takeSteps().isEmpty, strict {
      report("There are no steps to skip. Remove the call of skipSteps(strict: true).", location)
    }
    reportProblems(location)
  }

  /// Cancels all effects, as the release of the view model would.
  ///
  /// This closes the model. Earlier steps can still be asserted, but sending an action is a failure,
  /// and the action is not handled. To cancel effects and continue, call
  /// ``TestActionTask/cancel()``, or send an action whose handler cancels them.
  public func cancelEffects() async {
    await close(by: closing ?? .cancelEffects)
  }
}
