/// A named step from one schema to the next, applied once and in a transaction of its own.
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
/// A file records the applied migrations. If an applied migration was changed, removed or moved,
/// opening the file is an error; append a new migration instead.
public struct Migration: Sendable {
  /// The name under which the file records the migration; unique in its list.
  public let name: String

  /// The text that the file compares to detect a changed migration.
  package let fingerprint: String

  package let perform: @Sendable (any WriteTransaction) throws -> Void

  /// A migration that runs statements; any change to their text or bound values is noticed.
  public init(_ name: String, _ statements: SQL...) {
    self.name = name
    fingerprint = statements.map(Self.fingerprint).joined(separator: ";\n")
    perform = { transaction in
      for statement in statements { try transaction.execute(statement) }
    }
  }

  /// A migration that runs code.
  ///
  /// - Parameters:
  ///   - name: Unique among the migrations; the file records it.
  ///   - version: Raise it when the code changes, because code cannot be compared.
  ///   - perform: Changes the database. If it throws, nothing is changed.
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
