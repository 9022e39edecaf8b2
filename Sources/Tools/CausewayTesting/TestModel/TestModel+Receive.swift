public import Causeway

extension TestModel {
  /// Asserts the case of the next action that an effect sent or that a handler fed back.
  ///
  /// ```swift
  /// await model.receive(\.loaded) { $0.results = ["swift"] }
  /// await model.receive(\.home?.search?.loaded) { $0.home.search.results = ["swift"] }
  /// ```
  ///
  /// - Parameters:
  ///   - actionCase: A property of the action that is `nil` for other cases. For the action of a
  ///     child of a child, the properties of all levels, with question marks.
  ///   - effect: The effect that sent the action; see
  ///     ``expect(from:fileID:filePath:line:column:_:)``. Default: any effect, or a handler.
  ///   - change: Turns the state before the action into the expected state after it; see
  ///     ``send(_:fileID:filePath:line:column:_:)``.
  ///   - fileID: The file of the call, where failures are shown; leave it to the compiler.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func receive<Payload>(
    _ actionCase: KeyPath<Action, Payload?>,
    from effect: EffectID? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ change: ((inout State) throws -> Void)? = nil
  ) async {
    await receive(
      wantedCase(actionCase),
      effect, TestLocation(fileID: fileID, filePath: filePath, line: line, column: column), change
    ) { $0[keyPath: actionCase] != nil }
  }

  /// Asserts the case and payload of the next action of an effect or a handler.
  ///
  /// For the other parameters, see the variant that expects only a case.
  ///
  /// `payload` is the expected payload. A number that is not a number (`.nan`) counts as equal to
  /// itself.
  public func receive<Payload: Equatable>(
    _ actionCase: KeyPath<Action, Payload?>,
    _ payload: Payload,
    from effect: EffectID? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ change: ((inout State) throws -> Void)? = nil
  ) async {
    await receive(
      "\(wantedCase(actionCase)) and the value \(Comparison.text(payload))",
      effect, TestLocation(fileID: fileID, filePath: filePath, line: line, column: column), change
    ) { SameValue.isEqual($0[keyPath: actionCase], payload) }
  }

  /// Asserts that the next action of an effect or a handler equals a given one.
  ///
  /// For the other parameters, see the variant that expects only a case.
  ///
  /// `action` is the expected action. A number that is not a number (`.nan`) counts as equal to
  /// itself.
  public func receive(
    _ action: Action,
    from effect: EffectID? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ change: ((inout State) throws -> Void)? = nil
  ) async where Action: Equatable {
    await receive(
      "the action \(Abbreviation.value(action))",
      effect, TestLocation(fileID: fileID, filePath: filePath, line: line, column: column), change
    ) { SameValue.isEqual($0, action) }
  }

  /// Asserts that the next action of an effect or a handler satisfies a condition.
  ///
  /// For the other parameters, see the variant that expects only a case.
  ///
  /// `condition` returns whether an action is the expected one.
  public func receive(
    where condition: (Action) -> Bool,
    from effect: EffectID? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ change: ((inout State) throws -> Void)? = nil
  ) async {
    await receive(
      "an action that meets the condition",
      effect, TestLocation(fileID: fileID, filePath: filePath, line: line, column: column), change,
      condition)
  }

  func receive(
    _ wanted: String,
    _ effect: EffectID?,
    _ location: TestLocation,
    _ change: ((inout State) throws -> Void)?,
    _ isExpected: (Action) -> Bool
  ) async {
    await assertNext(
      wanted, from: effect, location, change,
      where: { $0.action.map(isExpected) ?? false })
  }

  /// Returns the name of a case, or the payload's type for a computed property.
  func wantedCase<Root, Payload>(_ actionCase: KeyPath<Root, Payload?>) -> String {
    let name = "\(actionCase)"
    return name.contains("<")
      ? "an action with a payload of type \(Payload.self)" : "an action with the case \(name)"
  }
}
