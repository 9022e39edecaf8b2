/// The operations on files that the disk store is made of.
///
/// Each is one that can fail on its own, so that a test can have every one of them fail.
package protocol FileSystem: Sendable {
  /// Makes a directory that only the owner may use, and those above it; an existing one is fine.
  func createDirectory(_ path: String) throws(FileError)
  /// What is in a directory, without itself and its parent.
  func list(_ path: String) throws(FileError) -> [FileInfo]
  /// The contents of a regular file; `nil` if there is none.
  func read(_ path: String) throws(FileError) -> [UInt8]?
  /// Makes a file that does not exist, for writing; only the owner may read it.
  func create(_ path: String) throws(FileError) -> FileHandleNumber
  /// Writes all of the bytes.
  func write(_ bytes: [UInt8], to file: FileHandleNumber) throws(FileError)
  /// Returns when the file is on the disk.
  func synchronize(_ file: FileHandleNumber) throws(FileError)
  /// Closes a file.
  func close(_ file: FileHandleNumber) throws(FileError)
  /// Gives a file the place of another one, in one step.
  func rename(_ path: String, to newPath: String) throws(FileError)
  /// Returns when the names in the directory are on the disk.
  func synchronizeDirectory(_ path: String) throws(FileError)
  /// Removes a file; does nothing if there is none.
  func remove(_ path: String) throws(FileError)
  /// Dates a file, in nanoseconds since 1970.
  func setModified(_ path: String, to time: Int64) throws(FileError)
  /// Makes a file and holds it for as long as the result lives, against other processes too.
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
