import Causeway

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
    let task = await perform(action, change, location)
    return TestActionTask(model: self, action: action, task: task)
  }
}
