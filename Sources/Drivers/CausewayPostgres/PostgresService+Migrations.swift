import CausewayDatabase

extension WriteTransaction {
  /// Takes the lock for schema changes, after waiting for other processes.
  func lockSchema() throws(PersistenceError) {
    _ = try row("SELECT set_config('lock_timeout', '0', true)", as: String.self)
    _ = try rows(
      """
      SELECT pg_advisory_xact_lock(
        hashtextextended('causeway ' || coalesce(current_schema(), ''), 0))::text
      """, as: String.self)
  }
}

extension PostgresService {
  /// Applies the missing migrations, each in a transaction of its own.
  ///
  /// - Throws: `PersistenceError` of kind `migration` for the tables of the outbox, which use
  ///   SQLite's dialect.
  func migrate(_ migrations: [Migration]) async throws {
    try migrations.checkNames()
    // Otherwise the server would report an error of syntax, which does not name the cause.
    if let client = migrations.first(where: { $0.name.hasPrefix("causeway: ") }) {
      throw PersistenceError(
        .migration,
        message: "Migration \"\(client.name)\" needs SQLite. The outbox and the synced tables "
          + "belong to a client, which stores them in a file of its own")
    }
    if migrations.isEmpty {
      let table = try await rows(
        "SELECT to_regclass('causeway_migration')::text", as: String?.self)
      if table.first == .some(nil) { return }
    }
    // Each statement must see the migrations of other processes, so there is no common snapshot.
    while try await write(
      isolation: .readCommitted, isLimited: false, { try $0.applyNext(of: migrations) })
    {}
  }
}

extension WriteTransaction {
  /// Applies the first missing migration, and returns whether there was one.
  fileprivate func applyNext(of migrations: [Migration]) throws -> Bool {
    try lockSchema()
    if try row("SELECT to_regclass('causeway_migration')::text", as: String?.self) == .some(nil) {
      try execute(
        """
        CREATE TABLE causeway_migration (
          position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, fingerprint TEXT NOT NULL)
        """)
    }
    let applied = try rows(
      "SELECT name, fingerprint FROM causeway_migration ORDER BY position",
      as: AppliedMigration.self)
    try migrations.check(applied, in: "database")
    guard let migration = migrations.dropFirst(applied.count).first else { return false }
    try migration.apply(in: self)
    try execute(
      """
      INSERT INTO causeway_migration (position, name, fingerprint)
      VALUES (\(applied.count), \(migration.name), \(migration.fingerprint))
      """)
    return true
  }
}
