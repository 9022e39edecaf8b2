import CSQLite
import CausewayDatabase

extension Connection {
  /// Configures the writer's connection.
  ///
  /// The caller may call it again after an error of kind `busy`.
  func configure(_ configuration: SQLiteConfiguration) throws(PersistenceError) {
    // SQLite opens a file without write permission as read-only, and throws only at the first
    // write.
    guard sqlite3_db_readonly(database, "main") != 1 else {
      throw PersistenceError(
        .readOnly, code: Int(SQLITE_READONLY), extendedCode: Int(SQLITE_READONLY),
        message: "The file is read-only; open it with the access readOnly or immutable")
    }
    // On Apple systems `fsync` does not flush the drive's cache and does not keep the order of
    // writes. A power failure would undo commits, or damage the file during a checkpoint. On other
    // systems this setting has no effect.
    try run("PRAGMA fullfsync = ON")
    let mode = try text("PRAGMA journal_mode = WAL")
    guard mode == "wal" else {
      throw PersistenceError(
        .cannotOpen, message: "The file system does not allow a write-ahead log (\(mode ?? "?"))")
    }
    try run("PRAGMA synchronous = \(configuration.synchronous.rawValue)")
    if configuration.synchronous == .full { try synchronizeRecoveredLog() }
    try configureSchema()
    // Limits the size of the log file after a long transaction.
    try run("PRAGMA journal_size_limit = \(configuration.longestLog * 4096)")
  }

  /// Waits until the commits of an earlier process are on the disk.
  ///
  /// If that process ended between the write and the synchronisation of a commit, this process
  /// reads the commit, and may answer a repeated request with it. A power failure must not undo
  /// this commit. SQLite does not synchronise a log when it recovers the log. But a checkpoint
  /// first synchronises the log.
  private func synchronizeRecoveredLog() throws(PersistenceError) {
    do throws(PersistenceError) { try checkpoint(.passive) } catch {
      switch error.kind {
      // If the disk is full, an earlier step has synchronised the log. If the file is read-only,
      // this process does not commit.
      case .full, .readOnly: break
      default: throw error
      }
    }
  }

  /// Configures settings for every schema, on disk or in memory.
  func configureSchema() throws(PersistenceError) {
    try run("PRAGMA foreign_keys = ON")
    // Deleted rows are overwritten, so the file holds no text of an account after a logout.
    try run("PRAGMA secure_delete = ON")
    // Triggers must write to full-text indexes, which SQLite refuses in untrusted schemas. The risk
    // from a manipulated file stays small: the only function that the service adds has no side
    // effects, and loadable extensions are disabled. The connection is defensive, so no statement
    // can write to the schema or to the shadow tables of an index.
    try run("PRAGMA trusted_schema = ON")
  }

  enum Checkpoint {
    /// Copies as many pages as possible without waiting.
    case passive
    /// Copies all pages and empties the log.
    case truncate
  }

  /// Copies pages from the log into the main file.
  ///
  /// - Parameter mustComplete: Whether to throw an error of kind `busy` if readers of another
  ///   process still need the log. Otherwise these pages are copied later.
  func checkpoint(
    _ mode: Checkpoint, mustComplete: Bool = false
  ) throws(PersistenceError) {
    let mode = mode == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
    var pages: Int32 = 0
    let code = sqlite3_wal_checkpoint_v2(database, nil, mode, &pages, nil)
    guard code == SQLITE_OK || (code & 0xFF == SQLITE_BUSY && !mustComplete) else {
      throw failure(code)
    }
    if code == SQLITE_OK, mode == SQLITE_CHECKPOINT_TRUNCATE { log.reset() }
  }

  /// Keeps the log when the connection closes, because the file will be set aside.
  func keepLogWhenClosed() {
    causeway_sqlite3_keep_log(database)
  }

  /// Throws if deferred foreign keys would prevent the open transaction from committing.
  func checkForeignKeys() throws(PersistenceError) {
    var unresolved: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(database, SQLITE_DBSTATUS_DEFERRED_FKS, &unresolved, &highest, 0)
    guard unresolved == 0 else {
      throw PersistenceError(
        .constraint(.foreignKey), code: Int(SQLITE_CONSTRAINT), extendedCode: 787,
        message: "FOREIGN KEY constraint failed")
    }
  }

  /// Starts or stops interrupting statements when their task is cancelled.
  func stopWhenTaskIsCancelled(_ stops: Bool = true) {
    if stops {
      sqlite3_progress_handler(database, 2_000, { _ in Task.isCancelled ? 1 : 0 }, nil)
    } else {
      sqlite3_progress_handler(database, 0, nil, nil)
    }
  }
}
