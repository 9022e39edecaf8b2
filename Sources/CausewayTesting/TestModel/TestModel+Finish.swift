extension TestModel {
  /// Ends the test: fails for steps that were not asserted and for effects that have not ended.
  ///
  /// Then everything is cancelled. Where the test is not exhaustive, only what `onError` would have
  /// taken since the last assertion fails. The model takes no action afterwards.
  public func finish(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await run.drain.settle()
    requireNothingLeft(before: "the end of the test", location)
    reportProblems(location)
    let activities = run.activities
    if exhaustivity.isOn, !activities.isEmpty {
      report(
        """
        At the end of the test \(activities.count) \
        \(activities.count == 1 ? "effect has" : "effects have") not ended:\
        \(activities.map { "\n  \($0)" }.joined())
        Move the clock, give the input that they wait for, cancel them, or call cancelEffects().
        """, location)
    }
    closing = .finish
    await run.close()
  }

  /// Lets everything run that can run, after the test has given input to an effect.
  ///
  /// All other calls do so as well.
  public func settle() async {
    await run.drain.settle()
  }

  /// Accounts for all steps that no assertion has taken yet, without looking at them.
  public func skipSteps() async {
    await run.drain.settle()
    _ = inbox.takeFirst(inbox.steps.count)
  }

  /// Cancels all effects, as the end of the view model would.
  ///
  /// The model is closed then: steps that came before can still be asserted, but to send an action
  /// is a failure, and it is not handled. To cancel an effect and go on, send an action whose
  /// handler cancels it.
  public func cancelEffects() async {
    closing = closing ?? .cancelEffects
    await run.close()
  }
}

/// What closed a model; as a failure names it.
enum Closing: String {
  case finish = "finish()"
  case cancelEffects = "cancelEffects()"
}
