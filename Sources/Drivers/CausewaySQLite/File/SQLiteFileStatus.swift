public import CausewayDatabase

/// The state of a service's file.
public enum SQLiteFileStatus: Sendable, Hashable {
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
