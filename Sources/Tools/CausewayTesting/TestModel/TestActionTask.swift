import Causeway

/// Everything that an action started in a ``TestModel``: effects, their actions, and so on.
///
/// ```swift
/// let listening = await model.send(.appear)
/// …
/// await listening.cancel()
/// ```
///
/// Isolation: the main actor.
@MainActor
public struct TestActionTask<State: Sendable, Action: Sendable> {
  let model: TestModel<State, Action>
  let action: Action
  /// `nil` for an action that was not handled.
  let task: ActionTask?

  /// Runs everything that can run, and fails if something that the action started has not ended.
  public func finish(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await model.settle()
    guard let task, !task.isFinished else { return }
    model.report(
      """
      The action \(Abbreviation.value(action)) started effects that have not ended. These effects \
      of the model are running:\(model.runningEffects.map { "\n  \($0)" }.joined())
      Advance the clock, give the effects their input, or cancel them.
      """, TestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Cancels everything that the action started, and returns after its end.
  ///
  /// Earlier steps can still be asserted.
  public func cancel() async {
    task?.cancel()
    await model.settle()
  }
}
