import CausewaySystem
public import Foundation

/// An error of a file on disk.
///
/// It names paths but not the contents of files, so it may be logged.
public enum DiskStoreError: Error, Sendable, Equatable {
  /// The disk is full, or a quota or a file size limit is reached.
  case full(path: String)
  /// Another store uses the directory, in this process or another one.
  ///
  /// `process` is the identifier of that process; `nil` if the system does not report it.
  case inUse(directory: String, process: Int32? = nil)
  /// A file was damaged and was set aside.
  case damaged(file: String, Damage)
  /// The directory contained a file that the store did not write.
  ///
  /// It was set aside if possible.
  case foreign(file: String)
  /// The resource is larger than the limit of the store.
  case tooLarge(bytes: Int, limit: Int)
  /// A system call on a file failed.
  ///
  /// The code is its `errno`.
  case inputOutput(operation: String, path: String, code: Int32)

  /// How a file was damaged.
  public enum Damage: Sendable, Equatable {
    /// The end of the file is missing.
    case truncated
    /// The file is longer than its record.
    case tooLong
    /// The bytes differ from the bytes that were written.
    case checksum
    /// The file is not a record of a store, or it is the record of another key.
    case notARecord
  }

  package init(_ error: FileError) {
    self =
      switch error.code {
      case ENOSPC, EDQUOT, EFBIG: .full(path: error.path)
      default: .inputOutput(operation: error.operation, path: error.path, code: error.code)
      }
  }

  /// Whether a file or its directory does not exist.
  package var isMissing: Bool {
    if case .inputOutput(_, _, ENOENT) = self { true } else { false }
  }

  private static func place(of process: Int32?) -> String {
    guard let process else { return "" }
    return process == getpid() ? " in this process" : " in the process \(process)"
  }

  package init(_ flaw: StoredRecord.Flaw, file: String) {
    let damage: Damage =
      switch flaw {
      case .truncated: .truncated
      case .tooLong: .tooLong
      case .checksum: .checksum
      case .notARecord, .otherKey: .notARecord
      }
    self = .damaged(file: file, damage)
  }
}

extension DiskStoreError: CustomStringConvertible {
  /// A description of the error, with a remedy.
  public var description: String {
    switch self {
    case .full(let path):
      "There is no space for \(path). Free space on the disk; earlier contents are kept."
    case .inUse(let directory, let process):
      "\(directory) is used by another store\(Self.place(of: process)). Give each store its own path, or close the other one."
    case .damaged(let file, let damage):
      """
      \(file) was damaged (\(damage)) and has been set aside. The cache loads the value \
      again. If this happens often, check the disk.
      """
    case .foreign(let file):
      "\(file) is a foreign file. Give the store a directory that no other code writes to."
    case .tooLarge(let bytes, let limit):
      "A resource of \(bytes) bytes does not fit a store of \(limit). Raise the store's limit."
    case .inputOutput(let operation, let path, let code):
      """
      The system could not \(operation) \(path): \(String(cString: strerror(code))). Check that the \
      directory exists, that the process may write to it, and the disk.
      """
    }
  }
}

extension DiskStoreError: LocalizedError {
  /// A sentence for people.
  public var errorDescription: String? {
    switch self {
    case .full: "The disk is full. Free some space and try again."
    case .inUse: "Another program uses the stored data. Close it and try again."
    case .damaged, .foreign: "A stored file was damaged and is not used any more."
    case .tooLarge: "This is too large to be stored."
    case .inputOutput: "The stored data cannot be read or written. Check the disk of this device."
    }
  }
}
