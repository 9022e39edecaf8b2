/// The source location of an assertion in a test.
public struct TestLocation: Sendable {
  /// The file as `Module/File.swift`.
  public let fileID: StaticString
  /// The file's path.
  public let filePath: StaticString
  /// The line, from 1 on.
  public let line: UInt
  /// The column, from 1 on.
  public let column: UInt

  /// Makes a location.
  ///
  /// The default arguments are the location of the call.
  public init(
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
