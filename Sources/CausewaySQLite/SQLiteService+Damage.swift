public import CausewayDatabase

extension SQLiteService {
  /// How a service responds to a damaged file.
  public enum DamageResponse: Sendable {
    /// Throws the error and keeps the file unchanged, for rows that exist nowhere else.
    case fail
    /// Sets the file aside and creates an empty file, for a cache.
    ///
    /// The operation that detects the damage throws. Later operations use the new file, and live
    /// queries continue with the rows of the new file.
    case startAnew
  }

  /// The state of a service's file.
  public enum FileStatus: Sendable, Hashable {
    /// No problem is known.
    case usable
    /// The file, its log or the log's index was removed, moved or replaced.
    ///
    /// Writes throw an error of kind `fileReplaced` until the files are back. A cache creates a new
    /// file at the next write instead.
    case replaced
    /// The file is damaged, and was left unchanged.
    case damaged(PersistenceError)
  }

  /// The damage of a file, and how the service responded.
  public struct DamageReport: Sendable, Hashable {
    /// The path of the service's file.
    public var path: String
    /// The error that showed the damage.
    public var error: PersistenceError
    /// The new path of the damaged file; `nil` if it was not moved, or if another process moved it.
    public var setAsideAs: String?
  }
}

extension SQLiteService {
  /// The state of the file now.
  ///
  /// Complexity: three file system calls.
  public var fileStatus: FileStatus {
    writer.noteLocation()
    return file.condition.status
  }

  /// Yields the last known state of the file, and then its changes.
  ///
  /// A slow consumer gets only the latest state.
  ///
  /// The service checks whether the file was replaced, at each write and when ``fileStatus`` is
  /// read.
  /// While live queries exist, it also checks at every ``Configuration/foreignCommitInterval``.
  /// Damage is detected when a damaged part is read.
  public func fileStatuses() -> AsyncStream<FileStatus> { file.condition.stream() }
}
