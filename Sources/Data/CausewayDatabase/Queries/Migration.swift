/// A named step from one schema to the next, applied once in a separate transaction.
///
/// ```swift
/// let migrations = [
///   Migration("create activity", "CREATE TABLE activity (id TEXT PRIMARY KEY, title TEXT)"),
///   Migration("fill titles", version: 1) { transaction in
///     try transaction.execute("UPDATE activity SET title = 'untitled' WHERE title IS NULL")
///   },
/// ]
/// ```
///
/// The file records the migrations that were applied. If one of them was changed, removed or moved,
/// the file cannot be opened. Append a new migration instead.
public struct Migration: Sendable {
  /// The name under which the file records the migration; unique in its list.
  public let name: String

  /// A text by which a later change of the migration is detected.
  package let fingerprint: String

  private let perform: @Sendable (any WriteTransaction) throws -> Void

  /// Makes a migration from statements.
  ///
  /// A later change of their text or bound values is detected.
  public init(_ name: String, _ statements: SQL...) {
    self.name = name
    fingerprint = statements.map(Self.fingerprint).joined(separator: ";\n")
    perform = { transaction in
      for statement in statements { try transaction.execute(statement) }
    }
  }

  /// Makes a migration from code.
  ///
  /// - Parameters:
  ///   - name: The name in the file, unique among the migrations.
  ///   - version: The version of the code. Code cannot be compared, so raise the version when the
  ///     code changes.
  ///   - perform: Changes the database. If it throws, the database stays unchanged.
  public init(
    _ name: String, version: Int, perform: @escaping @Sendable (any WriteTransaction) throws -> Void
  ) {
    self.name = name
    fingerprint = "code, version \(version)"
    self.perform = perform
  }

  private static func fingerprint(of statement: SQL) -> String {
    statement.bindings.isEmpty ? statement.text : "\(statement.text) -- \(statement.bindings)"
  }

  /// Changes the database, without recording the migration.
  ///
  /// A test of a migration applies it to the rows of an earlier version. A service applies the
  /// migrations that it is given when it opens a database.
  ///
  /// - Throws: A `PersistenceError` that names the migration, or another error of its code.
  public func apply(in transaction: any WriteTransaction) throws {
    do {
      try perform(transaction)
    } catch let error as PersistenceError {
      var error = error
      error.message = "Migration \"\(name)\" failed: \(error.message)"
      throw error
    }
  }
}

/// An applied migration, as the database stores it.
package struct AppliedMigration: Decodable, Sendable {
  package let name: String
  package let fingerprint: String
}

extension [Migration] {
  /// Throws an error of kind `migration` if two migrations have the same name.
  package func checkNames() throws(PersistenceError) {
    let groups = Dictionary(grouping: map(\.name), by: \.self)
    if let twice = groups.first(where: { $0.value.count > 1 }) {
      throw PersistenceError(.migration, message: "Two migrations are called \"\(twice.key)\"")
    }
  }

  /// Throws an error of kind `migration` unless the list begins with the applied migrations.
  ///
  /// - Parameters:
  ///   - applied: The migrations in the order in which they were applied.
  ///   - store: The word for the store in the error, such as "file".
  package func check(_ applied: [AppliedMigration], in store: String) throws(PersistenceError) {
    for (index, past) in applied.enumerated() {
      guard let migration = first(where: { $0.name == past.name }) else {
        throw PersistenceError(
          .migration,
          message: "The \(store) contains migration \"\(past.name)\", which this program does "
            + "not know; a newer version may have written it")
      }
      guard indices.contains(index), self[index].name == past.name else {
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
