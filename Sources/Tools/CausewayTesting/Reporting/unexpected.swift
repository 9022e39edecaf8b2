/// Returns a function that fails the test when it is called, for a double with single functions.
///
/// ```swift
/// var api = Api(load: unexpected("load"), save: unexpected("save"))
/// api.load = { [.sample] }
/// let model = TestModel(Feature(api: api))   // fails if the feature saves
/// ```
///
/// The function also throws an error. For a function that cannot throw, see
/// ``unexpected(_:returning:reporter:fileID:filePath:line:column:)``.
///
/// - Parameters:
///   - function: The name of the function, for the failure.
///   - reporter: Receives the failure. Default: the running test.
///   - fileID: The file of the call, where the failure is shown; leave it to the compiler.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
public func unexpected<each Argument, Result>(
  _ function: String,
  reporter: FailureReporter = .automatic,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) -> @Sendable (repeat each Argument) throws -> Result {
  let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return { (arguments: repeat each Argument) in
    let call = UnexpectedCall(function: function)
    reporter.report("\(call)", location)
    throw call
  }
}

/// Returns a function that fails the test when it is called, and then returns a value.
///
/// See ``unexpected(_:reporter:fileID:filePath:line:column:)``.
///
/// - Parameters:
///   - function: The name of the function, for the failure.
///   - value: The value that the function returns.
///   - reporter: Receives the failure. Default: the running test.
///   - fileID: The file of the call, where the failure is shown; leave it to the compiler.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
public func unexpected<each Argument, Result: Sendable>(
  _ function: String,
  returning value: Result,
  reporter: FailureReporter = .automatic,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) -> @Sendable (repeat each Argument) -> Result {
  let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return { (arguments: repeat each Argument) in
    reporter.report("\(UnexpectedCall(function: function))", location)
    return value
  }
}

/// The error of a function of a double that a test does not expect to be called.
package struct UnexpectedCall: Error, Equatable, CustomStringConvertible {
  /// The name of the function.
  package let function: String

  /// Names the function and the remedy.
  package var description: String {
    "\(function) was called, which this test does not expect. Give the double a function for it."
  }
}
