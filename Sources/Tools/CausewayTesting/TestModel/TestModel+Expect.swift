public import Causeway

extension TestModel {
  /// Asserts the next update of an effect, or the next error that `catch:` turned into state.
  ///
  /// If the test is not exhaustive, it skips the steps before the first matching step.
  ///
  /// ```swift
  /// await model.expect(from: "posts") { $0.posts = posts }
  /// ```
  ///
  /// - Parameters:
  ///   - effect: The effect that sent the update. Steps of other effects remain for later
  ///     assertions. Effects that run concurrently can therefore be asserted in any order. Default:
  ///     any effect.
  ///   - change: Turns the state before the update into the expected state after it; see
  ///     ``send(_:fileID:filePath:line:column:_:)``. Without it, the update must change nothing,
  ///     even if the test is not exhaustive.
  ///   - fileID: The file of the call, where failures are shown; leave it to the compiler.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func expect(
    from effect: EffectID? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ change: ((inout State) throws -> Void)? = nil
  ) async {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    // A missing closure asserts that nothing changes, regardless of the exhaustivity.
    await assertNext(
      "an update", from: effect, location, change, wholly: change == nil,
      where: \.isUpdate, preferring: { self.fits($0, change) })
  }

  /// Asserts that an effect has called `send.dismiss()`.
  ///
  /// ```swift
  /// await model.send(.save)
  /// await model.expectDismissal()
  /// ```
  ///
  /// A feature that is tested alone has no parent from which it could be removed, so its effects
  /// continue. A dismissal that is not asserted is a failure before the next action and at the end of
  /// the test, if the test is exhaustive.
  ///
  /// - Parameters:
  ///   - effect: The effect that has dismissed the feature. Default: any effect.
  ///   - fileID: The file of the call, where failures are shown; leave it to the compiler.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func expectDismissal(
    from effect: EffectID? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await assertDismissal(
      by: effect, TestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
