import CausewayData

extension Connection {
  private struct Applied: Decodable {
    let name: String
    let fingerprint: String
  }

  /// Applies the missing migrations.
  ///
  /// The caller may call it again after an error of kind `busy`.
  ///
  /// Each migration runs in its own transaction. Foreign keys are checked only at the end of the
  /// transaction, so a migration can rebuild a table.
  func migrate(_ migrations: [Migration]) throws {
    let names = migrations.map(\.name)
    if let twice = Dictionary(grouping: names, by: \.self).first(where: { $0.value.count > 1 }) {
      throw PersistenceError(
        .migration, message: "Two migrations are called \"\(twice.key)\"")
    }
    if migrations.isEmpty, try !hasMigrations { return }
    try run("PRAGMA foreign_keys = OFF")
    defer { try? run("PRAGMA foreign_keys = ON") }
    while try applyNext(of: migrations) {}
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
    try run("BEGIN IMMEDIATE")
    do {
      let transaction = SQLiteWriteTransaction(self)
      defer { transaction.end() }
      try transaction.execute(
        """
        CREATE TABLE IF NOT EXISTS causeway_migration (
          position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, fingerprint TEXT NOT NULL)
        """)
      let applied = try applied(in: transaction)
      try compare(applied, with: migrations)
      guard let migration = migrations.dropFirst(applied.count).first else {
        try run("COMMIT")
        return false
      }
      try apply(migration, at: applied.count, in: transaction)
      try run("COMMIT")
      return true
    } catch {
      rollBack()
      throw error
    }
  }

  /// Whether the file has these migrations and also later ones.
  func isNewer(than migrations: [Migration]) -> Bool {
    do {
      try run("BEGIN")
      defer { rollBack() }
      let transaction = SQLiteReadTransaction(self)
      defer { transaction.end() }
      let applied = try applied(in: transaction)
      try compare(Array(applied.prefix(migrations.count)), with: migrations)
      return applied.count > migrations.count
    } catch {
      return false
    }
  }

  private func applied(
    in transaction: SQLiteReadTransaction
  ) throws(PersistenceError) -> [Applied] {
    do {
      return try transaction.rows(
        "SELECT name, fingerprint FROM causeway_migration ORDER BY position", as: Applied.self)
    } catch  where error.kind == .decoding || error.kind == .statement {
      // No other code writes to this table.
      throw PersistenceError(
        .corrupt, message: "The table of applied migrations is damaged: \(error.message)")
    }
  }

  private func apply(
    _ migration: Migration, at position: Int, in transaction: SQLiteWriteTransaction
  ) throws {
    do {
      try migration.perform(transaction)
    } catch let error as PersistenceError {
      var error = error
      error.message = "Migration \"\(migration.name)\" failed: \(error.message)"
      throw error
    }
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

  private func compare(
    _ applied: [Applied], with migrations: [Migration]
  ) throws(PersistenceError) {
    for (index, past) in applied.enumerated() {
      guard let migration = migrations.first(where: { $0.name == past.name }) else {
        throw PersistenceError(
          .migration,
          message: "The file contains migration \"\(past.name)\", which this program does "
            + "not know; a newer version may have written it")
      }
      guard migrations.indices.contains(index), migrations[index].name == past.name else {
        throw PersistenceError(
          .migration, message: "Migration \"\(past.name)\" is not at its place \(index + 1)")
      }
      guard migration.fingerprint == past.fingerprint else {
        throw PersistenceError(
          .migration, message: "Migration \"\(past.name)\" was changed after it was applied")
      }
    }
  }
}
