import CausewaySystem

/// The file operations of the disk store.
///
/// Each operation is separate, so a test can make each of them fail.
package protocol FileSystem: Sendable {
  /// The executor on which the actors of disk stores call these operations.
  var executor: any SerialExecutor { get }
  /// Whether files have owners and permissions; `false` in a simulation.
  var hasOwners: Bool { get }
  /// Creates a directory and its parents, with access for the owner only.
  ///
  /// An existing directory is no error.
  func createDirectory(_ path: String) throws(FileError)
  /// Returns the entries of a directory, without `.` and `..`.
  func list(_ path: String) throws(FileError) -> [FileInfo]
  /// Returns the contents of a regular file; `nil` if there is none.
  func read(_ path: String) throws(FileError) -> [UInt8]?
  /// Returns at most `count` bytes of a regular file; `nil` if there is no file.
  func read(_ path: String, at offset: Int, count: Int) throws(FileError) -> [UInt8]?
  /// Returns a regular file if the system has it in memory; never waits for the disk.
  ///
  /// - Parameter headSize: The number of bytes of the first part.
  func readResident(_ path: String, headSize: Int) -> ResidentFile
  /// Creates a file for writing, which only its owner can read.
  ///
  /// The file must not exist.
  func create(_ path: String) throws(FileError) -> FileHandleNumber
  /// Creates an empty file that only its owner can read, unless a file exists.
  ///
  /// Errors are ignored.
  func createIfMissing(_ path: String)
  /// Returns the identity of the file at a path, following links; `nil` if there is no file.
  func identity(_ path: String) -> FileIdentity?
  /// Opens a regular file for writing at its end, and returns its size; `nil` if there is none.
  func openForAppending(_ path: String) throws(FileError) -> (FileHandleNumber, size: Int)?
  /// Removes the end of a file.
  func truncate(_ file: FileHandleNumber, to size: Int) throws(FileError)
  /// Writes all bytes.
  func write(_ bytes: [UInt8], to file: FileHandleNumber) throws(FileError)
  /// Waits until the contents of the file are on the disk.
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
  /// Creates a file and locks it against other processes until the result is released.
  func lock(_ path: String) throws(FileError) -> any Sendable
  /// Waits for a file's lock against other processes, and holds it until the result is released.
  ///
  /// Returns `nil` if there is no such file.
  func lockExisting(_ path: String) throws(FileError) -> (any Sendable)?
  /// Returns the process that has locked a file, if the system reports it.
  func lockHolder(_ path: String) -> Int32?
}

extension FileSystem {
  /// The default is a separate thread, because the operations block.
  package var executor: any SerialExecutor { DiskThread.shared }

  /// By default this reads the whole file.
  package func read(
    _ path: String, at offset: Int, count: Int
  ) throws(FileError) -> [UInt8]? {
    try read(path).map { Array($0.dropFirst(offset).prefix(count)) }
  }

  package func createIfMissing(_ path: String) {
    if identity(path) == nil, let file = try? create(path) { try? close(file) }
  }

  /// By default this does not wait, because no other process uses the file.
  package func lockExisting(_ path: String) throws(FileError) -> (any Sendable)? {
    identity(path)
  }

  /// By default this is unknown.
  package func lockHolder(_ path: String) -> Int32? { nil }

  /// By default this reads nothing.
  package func readResident(_ path: String, headSize: Int) -> ResidentFile { .unknown }

  /// Creates a directory and its parents, and waits until their names are on the disk.
  ///
  /// Until then, a power failure can remove a new directory with all its files. If the directory
  /// exists, an interrupted process may have created it, so its name is synchronised too.
  ///
  /// Returns whether the directory is new.
  @discardableResult
  package func createDurableDirectory(_ path: String) throws(FileError) -> Bool {
    let parent = directory(of: path)
    let isNew = try !hasDirectory(path)
    if isNew {
      if parent != path { try createDurableDirectory(parent) }
      try createDirectory(path)
    }
    do throws(FileError) { try synchronizeDirectory(parent) } catch {
      // Some systems forbid an app to read the directory that contains its container.
      guard !isNew, error.code == EACCES || error.code == EPERM else { throw error }
    }
    return isNew
  }

  private func hasDirectory(_ path: String) throws(FileError) -> Bool {
    do throws(FileError) {
      _ = try list(path)
      return true
    } catch {
      if error.code == ENOENT { return false }
      throw error
    }
  }

  /// Returns the directory of a path.
  package func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The default is `true`, as for the files of the operating system.
  package var hasOwners: Bool { true }
}

/// The contents of a file, read without waiting for the disk.
package enum ResidentFile: Sendable {
  /// The contents in two parts.
  case contents(head: [UInt8], rest: [UInt8])
  /// There is no such file.
  case absent
  /// The file must be read from the disk, or it cannot be read at all.
  case unknown
}

/// The identity of the file at a path; it changes when another file is renamed to this path.
package struct FileIdentity: Sendable {
  private let device: UInt64
  /// The number of the inode.
  private let number: UInt64
  /// The current number of bytes, which is no part of the identity.
  package let size: Int

  package init(device: UInt64, number: UInt64, size: Int) {
    self.device = device
    self.number = number
    self.size = size
  }

  package func isSameFile(as other: FileIdentity?) -> Bool {
    device == other?.device && number == other?.number
  }
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
  /// The size of the file, in bytes.
  package var size: Int
  /// The date of the last modification, in nanoseconds since 1970.
  package var modified: Int64

  package init(name: String, kind: Kind, size: Int, modified: Int64) {
    self.name = name
    self.kind = kind
    self.size = size
    self.modified = modified
  }
}
