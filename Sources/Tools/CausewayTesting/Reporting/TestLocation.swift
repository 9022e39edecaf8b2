/// The source location of an assertion in a test.
package struct TestLocation: Sendable {
  /// The file as `Module/File.swift`.
  package let fileID: StaticString
  /// The file's path.
  package let filePath: StaticString
  /// The line, from 1 on.
  package let line: UInt
  /// The column, from 1 on.
  package let column: UInt

  /// Makes a location.
  ///
  /// The default arguments are the location of the call.
  package init(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }
}
