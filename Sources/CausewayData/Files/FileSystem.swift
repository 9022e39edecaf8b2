/// The file operations of the disk store.
///
/// Each operation can fail on its own, so a test can make each of them fail.
package protocol FileSystem: Sendable {
  /// Creates a directory and its parents, for the owner only.
  ///
  /// An existing directory is no error.
  func createDirectory(_ path: String) throws(FileError)
  /// Returns the entries of a directory, without `.` and `..`.
  func list(_ path: String) throws(FileError) -> [FileInfo]
  /// Returns the contents of a regular file; `nil` if there is none.
  func read(_ path: String) throws(FileError) -> [UInt8]?
  /// Creates a file for writing, which only the owner may read.
  ///
  /// The file must not exist.
  func create(_ path: String) throws(FileError) -> FileHandleNumber
  /// Writes all bytes.
  func write(_ bytes: [UInt8], to file: FileHandleNumber) throws(FileError)
  /// Waits until the file is on the disk.
  func synchronize(_ file: FileHandleNumber) throws(FileError)
  /// Closes a file.
  func close(_ file: FileHandleNumber) throws(FileError)
  /// Renames a file in one step, replacing an existing file.
  func rename(_ path: String, to newPath: String) throws(FileError)
  /// Waits until the names in the directory are on the disk.
  func synchronizeDirectory(_ path: String) throws(FileError)
  /// Removes a file.
  ///
  /// Does nothing if there is none.
  func remove(_ path: String) throws(FileError)
  /// Sets the modification date of a file, in nanoseconds since 1970.
  func setModified(_ path: String, to time: Int64) throws(FileError)
  /// Creates a file and locks it against other processes, until the result is released.
  func lock(_ path: String) throws(FileError) -> any Sendable
}

/// The number of an open file.
package typealias FileHandleNumber = Int32

/// An operation on a file that failed.
package struct FileError: Error, Equatable {
  package var operation: String
  package var path: String
  /// The system's `errno`.
  package var code: Int32

  package init(_ operation: String, _ path: String, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }
}

/// An entry of a directory.
package struct FileInfo: Sendable, Equatable {
  package enum Kind: Sendable {
    case file, directory, other
  }

  package var name: String
  package var kind: Kind
  /// In bytes.
  package var size: Int
  /// In nanoseconds since 1970.
  package var modified: Int64

  package init(name: String, kind: Kind, size: Int, modified: Int64) {
    self.name = name
    self.kind = kind
    self.size = size
    self.modified = modified
  }
}
