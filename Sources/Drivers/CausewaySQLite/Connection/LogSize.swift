import CSQLite

/// Records the size of the write-ahead log after each commit of a connection.
///
/// It replaces SQLite's automatic checkpoint, because the service itself decides when to
/// checkpoint.
final class LogSize {
  fileprivate(set) var pages = 0

  /// Call this after a checkpoint has emptied the log.
  func reset() {
    pages = 0
  }

  /// Starts recording.
  ///
  /// This object must live as long as the connection.
  func attach(to database: OpaquePointer) {
    sqlite3_wal_hook(database, noteCommit, Unmanaged.passUnretained(self).toOpaque())
  }
}

private func noteCommit(
  _ context: UnsafeMutableRawPointer?, _ database: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ pages: Int32
) -> Int32 {
  guard let context else { return SQLITE_OK }
  Unmanaged<LogSize>.fromOpaque(context).takeUnretainedValue().pages = Int(pages)
  return SQLITE_OK
}
