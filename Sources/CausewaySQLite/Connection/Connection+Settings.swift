import CSQLite
import CausewayData

extension Connection {
  /// Prepares the writer's connection.
  ///
  /// May be called again after it was busy.
  func configure(_ configuration: SQLiteService.Configuration) throws(PersistenceError) {
    // SQLite opens a file that it may not write for reading, and says so only at the first write.
    guard sqlite3_db_readonly(database, "main") != 1 else {
      throw PersistenceError(
        .readOnly, code: Int(SQLITE_READONLY), extendedCode: Int(SQLITE_READONLY),
        message: "The file may only be read")
    }
    // On Apple systems, fsync leaves the bytes in the drive's own memory and their order open: a
    // power failure would undo commits, or damage the file at a checkpoint. Elsewhere it changes
    // nothing.
    try run("PRAGMA fullfsync = ON")
    let mode = try text("PRAGMA journal_mode = WAL")
    guard mode == "wal" else {
      throw PersistenceError(
        .cannotOpen, message: "The file system does not allow a write-ahead log (\(mode ?? "?"))")
    }
    try run("PRAGMA synchronous = \(configuration.synchronous.rawValue)")
    try configureSchema()
    // What a long transaction needed once is not kept for ever.
    try run("PRAGMA journal_size_limit = \(configuration.longestLog * 4096)")
  }

  /// What holds for every schema, on disk or in memory.
  func configureSchema() throws(PersistenceError) {
    try run("PRAGMA foreign_keys = ON")
    // Deleted rows are overwritten, so that a logout leaves no text in the file.
    try run("PRAGMA secure_delete = ON")
    // Triggers have to reach full-text indexes, which SQLite refuses for schemas that are not
    // trusted. A file from an attacker gains little by it: the service adds no SQL functions,
    // loading extensions is off, and the connection is defensive, so that no statement can write to
    // the schema or to the tables inside an index.
    try run("PRAGMA trusted_schema = ON")
  }

  enum Checkpoint {
    /// Copies what it can without waiting.
    case passive
    /// Copies everything and empties the log.
    case truncate
  }

  func checkpoint(_ mode: Checkpoint) throws(PersistenceError) {
    let mode = mode == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
    var pages: Int32 = 0
    let code = sqlite3_wal_checkpoint_v2(database, nil, mode, &pages, nil)
    // Busy: readers of another process still need the log. The rest follows later.
    guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else { throw failure(code) }
    if code == SQLITE_OK, mode == SQLITE_CHECKPOINT_TRUNCATE { log.forget() }
  }

  /// Leaves the log as it is when the connection closes, because the file is going to be set aside.
  func keepLogWhenClosed() {
    causeway_sqlite3_keep_log(database)
  }

  /// Fails if the open transaction would not be allowed to commit because of deferred foreign keys.
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

  /// Lets statements be stopped when the task that runs them is cancelled, or no longer.
  func stopWhenTaskIsCancelled(_ stops: Bool = true) {
    if stops {
      sqlite3_progress_handler(database, 2_000, { _ in Task.isCancelled ? 1 : 0 }, nil)
    } else {
      sqlite3_progress_handler(database, 0, nil, nil)
    }
  }
}
