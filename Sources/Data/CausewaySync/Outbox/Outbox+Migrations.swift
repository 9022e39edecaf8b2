public import CausewayDatabase

extension Outbox {
  /// The migrations of the outbox's tables; put them before the migrations of synced tables.
  ///
  /// Entries, dead letters, cursors, the server's rows and the overlay are in one file. One
  /// transaction stores a mutation and its effect on the shown rows. Another transaction stores the
  /// server's rows and removes the entry. With two files, a crash between two commits would show a
  /// mutation twice or not at all. The file needs full synchronisation, which is the default of a
  /// SQLite service. Store pictures and other values that can be loaded again in a separate file.
  public static let migrations = [
    Migration(
      "causeway: outbox",
      """
      CREATE TABLE sync_outbox (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        account TEXT NOT NULL,
        collection TEXT NOT NULL,
        scope TEXT NOT NULL,
        kind TEXT NOT NULL,
        entity,
        payload BLOB NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        failures TEXT NOT NULL DEFAULT '',
        requires TEXT NOT NULL DEFAULT '',
        nextAttempt REAL,
        created REAL NOT NULL,
        state TEXT NOT NULL DEFAULT 'waiting',
        version INTEGER,
        isAbsent INTEGER NOT NULL DEFAULT 0
      )
      """,
      """
      CREATE INDEX sync_outbox_entity ON sync_outbox (account, collection, scope, entity, sequence)
      """,
      "CREATE INDEX sync_outbox_record ON sync_outbox (account, collection, entity)",
      "CREATE INDEX sync_outbox_requires ON sync_outbox (account, sequence) WHERE requires <> ''",
      """
      CREATE INDEX sync_outbox_acknowledged ON sync_outbox (account, collection, scope)
      WHERE state = 'acknowledged'
      """,
      """
      CREATE TABLE sync_dead_letter (
        sequence INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        account TEXT NOT NULL,
        collection TEXT NOT NULL,
        scope TEXT NOT NULL,
        kind TEXT NOT NULL,
        entity,
        payload BLOB NOT NULL,
        attempts INTEGER NOT NULL,
        requires TEXT NOT NULL,
        created REAL NOT NULL,
        rejected REAL NOT NULL,
        reason TEXT NOT NULL,
        message TEXT NOT NULL,
        cause TEXT
      )
      """,
      """
      CREATE INDEX sync_dead_letter_record
      ON sync_dead_letter (account, collection, scope, entity)
      """,
      """
      CREATE TABLE sync_cursor (
        account TEXT NOT NULL,
        collection TEXT NOT NULL,
        scope TEXT NOT NULL,
        version INTEGER NOT NULL,
        reads INTEGER NOT NULL,
        PRIMARY KEY (account, collection, scope)
      ) WITHOUT ROWID
      """,
      "CREATE TABLE sync_table (name TEXT PRIMARY KEY) WITHOUT ROWID")
  ]
}
