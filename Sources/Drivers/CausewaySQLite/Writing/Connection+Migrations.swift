import CausewayDatabase

extension Connection {
  /// Applies the missing migrations.
  ///
  /// The caller may call it again after an error of kind `busy`.
  ///
  /// Each migration runs in its own transaction. Foreign keys are checked only at the end of the
  /// transaction, so a migration can rebuild a table.
  func migrate(_ migrations: [Migration]) throws {
    try migrations.checkNames()
    if migrations.isEmpty, try !hasMigrations { return }
    try run("PRAGMA foreign_keys = OFF")
    defer { try? run("PRAGMA foreign_keys = ON") }
    while try applyNext(of: migrations) {}
  }

  /// Throws if the file lacks a migration, or has other migrations.
  func checkApplied(_ migrations: [Migration]) throws {
    try migrations.checkNames()
    try run(.begin)
    defer { rollBack() }
    let transaction = SQLiteReadTransaction(self)
    defer { transaction.end() }
    // This also detects a file that is not a database.
    let applied = try hasMigrations ? applied(in: transaction) : []
    if migrations.isEmpty, applied.isEmpty { return }
    try migrations.check(applied, in: "file")
    guard let missing = migrations.dropFirst(applied.count).first else { return }
    throw PersistenceError(
      .readOnly,
      message: "The file lacks the migration \"\(missing.name)\", and the service only reads it")
  }

  private var hasMigrations: Bool {
    get throws(PersistenceError) {
      try text("SELECT 1 FROM sqlite_schema WHERE name = 'causeway_migration'") != nil
    }
  }

  /// Applies the first missing migration, and returns whether there was one.
  private func applyNext(of migrations: [Migration]) throws -> Bool {
    // Another process may migrate at the same time, so the search for the missing migration runs
    // under the write lock.
    try run(.beginWriting)
    do {
      let transaction = SQLiteWriteTransaction(self)
      defer { transaction.end() }
      try transaction.execute(
        """
        CREATE TABLE IF NOT EXISTS causeway_migration (
          position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, fingerprint TEXT NOT NULL)
        """)
      let applied = try applied(in: transaction)
      try migrations.check(applied, in: "file")
      guard let migration = migrations.dropFirst(applied.count).first else {
        try run(.commit)
        return false
      }
      try apply(migration, at: applied.count, in: transaction)
      try run(.commit)
      return true
    } catch {
      rollBack()
      throw error
    }
  }

  /// Whether the file has these migrations and also later ones.
  func isNewer(than migrations: [Migration]) -> Bool {
    do {
      try run(.begin)
      defer { rollBack() }
      let transaction = SQLiteReadTransaction(self)
      defer { transaction.end() }
      let applied = try applied(in: transaction)
      try migrations.check(Array(applied.prefix(migrations.count)), in: "file")
      return applied.count > migrations.count
    } catch {
      return false
    }
  }

  private func applied(
    in transaction: SQLiteReadTransaction
  ) throws(PersistenceError) -> [AppliedMigration] {
    do {
      return try transaction.rows(
        "SELECT name, fingerprint FROM causeway_migration ORDER BY position",
        as: AppliedMigration.self)
    } catch  where error.kind == .decoding || error.kind == .statement {
      // No other code writes to this table.
      throw PersistenceError(
        .corrupt, message: "The table of applied migrations is damaged: \(error.message)")
    }
  }

  private func apply(
    _ migration: Migration, at position: Int, in transaction: SQLiteWriteTransaction
  ) throws {
    try migration.apply(in: transaction)
    if let table = try text("PRAGMA foreign_key_check") {
      throw PersistenceError(
        .constraint(.foreignKey),
        message: "Migration \"\(migration.name)\" leaves broken references in \"\(table)\""
      )
    }
    try transaction.execute(
      """
      INSERT INTO causeway_migration (position, name, fingerprint)
      VALUES (\(position), \(migration.name), \(migration.fingerprint))
      """)
  }
}
