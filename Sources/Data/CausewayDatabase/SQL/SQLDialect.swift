/// The words of a table's definition that differ between SQLite and PostgreSQL.
///
/// With them, the same migrations make the tables of both databases.
public struct SQLDialect: Sendable {
  /// The types of 64-bit integers, of floating-point numbers, and of bytes.
  public let integer, real, bytes: SQL
  /// The type of a primary key whose values the database assigns by counting.
  public let countedKey: SQL
  /// The end of a table's definition, such as ` STRICT`.
  public let options: SQL

  /// The words of SQLite, for strict tables.
  public static let sqlite = SQLDialect(
    integer: "INTEGER", real: "REAL", bytes: "BLOB", countedKey: "INTEGER PRIMARY KEY",
    options: " STRICT")

  /// The words of PostgreSQL.
  public static let postgres = SQLDialect(
    integer: "BIGINT", real: "DOUBLE PRECISION", bytes: "BYTEA",
    countedKey: "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", options: "")
}
