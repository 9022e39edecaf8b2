import CausewayData

/// An applied migration, as the database stores it.
private struct Applied: Decodable, Sendable {
  let name: String
  let fingerprint: String
}

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
  func migrate(_ migrations: [Migration]) async throws {
    let names = migrations.map(\.name)
    if let twice = Dictionary(grouping: names, by: \.self).first(where: { $0.value.count > 1 }) {
      throw PersistenceError(.migration, message: "Two migrations are called \"\(twice.key)\"")
    }
    if migrations.isEmpty {
      let table = try await rows(
        "SELECT to_regclass('causeway_migration')::text", as: String?.self)
      if table.first == .some(nil) { return }
    }
    // Each statement must see the migrations of other processes, so there is no common snapshot.
    while try await write(isolation: .readCommitted, { try $0.applyNext(of: migrations) }) {}
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
      "SELECT name, fingerprint FROM causeway_migration ORDER BY position", as: Applied.self)
    try compare(applied, with: migrations)
    guard let migration = migrations.dropFirst(applied.count).first else { return false }
    do {
      try migration.perform(self)
    } catch let error as PersistenceError {
      var error = error
      error.message = "Migration \"\(migration.name)\" failed: \(error.message)"
      throw error
    }
    try execute(
      """
      INSERT INTO causeway_migration (position, name, fingerprint)
      VALUES (\(applied.count), \(migration.name), \(migration.fingerprint))
      """)
    return true
  }

  private func compare(
    _ applied: [Applied], with migrations: [Migration]
  ) throws(PersistenceError) {
    for (index, past) in applied.enumerated() {
      guard let migration = migrations.first(where: { $0.name == past.name }) else {
        throw PersistenceError(
          .migration,
          message: "The database contains migration \"\(past.name)\", which this program does "
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
