/// A named step from one schema to the next, applied once in a transaction of its own.
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

  package let perform: @Sendable (any WriteTransaction) throws -> Void

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
}
