public import Causeway

extension TestModel {
  /// Asserts the case of the next action of a row or a screen, which an effect sent or a handler fed
  /// back.
  ///
  /// ```swift
  /// await model.receive(\.board?.row, id: 3, \.saved) { $0.board.rows[id: 3]?.isSaving = false }
  /// await model.receive(\.path?.screen, id: ScreenID(.walk(3)), \.walk?.arrived)
  /// ```
  ///
  /// - Parameters:
  ///   - rowCase: A property of the action with the id and the action of a row; `nil` for other
  ///     cases.
  ///   - id: The id of the row or the screen.
  ///   - actionCase: A property of the row's action that is `nil` for other cases.
  ///   - effect: The effect that sent the action; see
  ///     ``expect(from:fileID:filePath:line:column:_:)``. Default: any effect, or a handler.
  ///   - change: Turns the state before the action into the expected state after it; see
  ///     ``send(_:fileID:filePath:line:column:_:)``.
  ///   - fileID: The file of the call, where failures are shown; leave it to the compiler.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func receive<ID: Equatable, RowAction, Payload>(
    _ rowCase: KeyPath<Action, (ID, RowAction)?>,
    id: ID,
    _ actionCase: KeyPath<RowAction, Payload?>,
    from effect: EffectID? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ change: ((inout State) throws -> Void)? = nil
  ) async {
    await receive(
      "\(wantedCase(actionCase)) of the row \(Comparison.text(id))", effect,
      TestLocation(fileID: fileID, filePath: filePath, line: line, column: column), change
    ) { Self.payload(of: $0, rowCase, id, actionCase) != nil }
  }

  /// Asserts the case and payload of the next action of a row or a screen.
  ///
  /// For the other parameters, see the variant that expects only a case.
  ///
  /// `payload` is the expected payload. A number that is not a number (`.nan`) counts as equal to
  /// itself.
  public func receive<ID: Equatable, RowAction, Payload: Equatable>(
    _ rowCase: KeyPath<Action, (ID, RowAction)?>,
    id: ID,
    _ actionCase: KeyPath<RowAction, Payload?>,
    _ payload: Payload,
    from effect: EffectID? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ change: ((inout State) throws -> Void)? = nil
  ) async {
    await receive(
      """
      \(wantedCase(actionCase)) and the value \(Comparison.text(payload)) of the row \
      \(Comparison.text(id))
      """, effect,
      TestLocation(fileID: fileID, filePath: filePath, line: line, column: column), change
    ) { SameValue.isEqual(Self.payload(of: $0, rowCase, id, actionCase), payload) }
  }

  private static func payload<ID: Equatable, RowAction, Payload>(
    of action: Action, _ rowCase: KeyPath<Action, (ID, RowAction)?>, _ id: ID,
    _ actionCase: KeyPath<RowAction, Payload?>
  ) -> Payload? {
    guard let (rowID, rowAction) = action[keyPath: rowCase], rowID == id else { return nil }
    return rowAction[keyPath: actionCase]
  }
}
