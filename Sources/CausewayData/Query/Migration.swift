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
/// The file records the applied migrations. If an applied migration was changed, removed or moved,
/// opening the file fails. Append a new migration instead.
public struct Migration: Sendable {
  /// The name under which the file records the migration; unique in its list.
  public let name: String

  /// The text that shows whether an applied migration was changed.
  package let fingerprint: String

  package let perform: @Sendable (any WriteTransaction) throws -> Void

  /// Makes a migration from statements.
  ///
  /// A change to their text or bound values is detected.
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
  ///   - version: The version of the code. Raise it when the code changes, because code cannot be
  ///     compared.
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
