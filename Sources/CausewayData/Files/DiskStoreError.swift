import CausewaySystem

/// What is wrong with files on disk.
///
/// Names paths but never the contents, so that it can be logged.
public enum DiskStoreError: Error, Sendable, Equatable {
  /// The disk is full, or the quota or the size that a file may have is reached.
  case full(path: String)
  /// Another store, in this process or another one, uses the directory.
  case inUse(directory: String)
  /// A file was damaged and has been set aside.
  case damaged(file: String, Damage)
  /// A file that no store has written was in the directory; it has been set aside if that was
  /// possible.
  case foreign(file: String)
  /// The resource needs more room than the whole store has.
  case tooLarge(bytes: Int, limit: Int)
  /// The system failed to do something with a file; the code is its `errno`.
  case inputOutput(operation: String, path: String, code: Int32)

  /// How a file was damaged.
  public enum Damage: Sendable, Equatable {
    /// Its end is missing.
    case truncated
    /// Something was added to it.
    case tooLong
    /// Its bytes are not those that were written.
    case checksum
    /// It is something else.
    case notARecord
  }

  init(_ error: FileError) {
    self =
      switch error.code {
      case ENOSPC, EDQUOT, EFBIG: .full(path: error.path)
      default: .inputOutput(operation: error.operation, path: error.path, code: error.code)
      }
  }

  init(_ flaw: StoredRecord.Flaw, file: String) {
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
  /// What happened, and what to do about it.
  public var description: String {
    switch self {
    case .full(let path):
      "No room for \(path). Free space on the disk; what was stored before is kept."
    case .inUse(let directory):
      "\(directory) is used by another store. Give each store a directory of its own."
    case .damaged(let file, let damage):
      """
      \(file) was damaged (\(damage)) and has been set aside. It is loaded again when it is needed; \
      if this comes often, check the disk.
      """
    case .foreign(let file):
      "\(file) is not a store's. Give the store a directory that nothing else writes to."
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
