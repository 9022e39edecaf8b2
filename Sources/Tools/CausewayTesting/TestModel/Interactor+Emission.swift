public import Causeway

extension Interactor {
  /// Handles an action without starting effects, and returns the emission of the handlers.
  ///
  /// ```swift
  /// var state = Search.State()
  /// #expect(Search().emission(for: .clear, on: &state) == .cancel("search"))
  /// ```
  ///
  /// Use it to test a handler alone. A ``TestModel`` also runs the effects.
  ///
  /// It is a failure if a handler reads a ``ProvidedKey`` without a provider and without a value
  /// for tests.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - state: The state that the handlers change.
  ///   - reporter: Receives the failures.
  ///   - fileID: The file of the call; leave it to the compiler, like the other three.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  @MainActor
  public func emission(
    for action: Action,
    on state: inout State,
    reporter: FailureReporter = .automatic,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> EmissionContent<Action> {
    let reads = DefaultReads()
    let values = ProvidedValues(reportingTo: { reads.add($0) })
    let content = resolve().replay(action, on: &state, values: values).content
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    for error in reads.takeAll() { reporter.report("\(error)", location) }
    return content
  }
}
