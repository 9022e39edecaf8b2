/// A transaction that may change the database.
///
/// All changes are committed when the closure returns. If the closure throws, no change is stored.
public protocol WriteTransaction: ReadTransaction {
  /// Runs a statement.
  ///
  /// Text without bound values may hold several statements. A service on a server may send the
  /// statement together with later ones. If it then fails, the service runs the closure again and
  /// waits for each statement, so this function throws the error.
  ///
  /// `SAVEPOINT`, `RELEASE` and `ROLLBACK TO` undo a part of the transaction.
  ///
  /// - Throws: `PersistenceError`. In SQLite, a failed statement changes nothing, and the transaction
  ///   can continue. On a server, it can continue after a `ROLLBACK TO`. If the error ended the
  ///   transaction, every later statement throws an error of kind `aborted`.
  func execute(_ statement: SQL) throws(PersistenceError)

  /// Runs a statement and returns the number of rows that it changed, not counting triggers.
  ///
  /// If the text holds several statements, the result is the number for the last statement. On a
  /// server, this function waits for the answer; ``execute(_:)`` need not wait.
  ///
  /// - Throws: The errors of ``execute(_:)``.
  func executeAndCount(_ statement: SQL) throws(PersistenceError) -> Int

  /// Inserts records, with their coding keys as column names.
  ///
  /// Dates, identifiers and bytes are stored as defined by `SQLConvertible`, enumerations by raw
  /// value, and nested values as JSON text.
  ///
  /// - Throws: `PersistenceError`, of kind `constraint` if a row with the key exists.
  /// - Complexity: O(records × columns); the statement is prepared once.
  func insert<Records: Sequence>(_ records: Records, into table: String) throws(PersistenceError)
  where Records.Element: Encodable

  /// Inserts records, or replaces the values of rows that have the same key.
  ///
  /// - Parameters:
  ///   - records: The records. All records of a type should have the same coding keys.
  ///   - table: The table's name, unquoted.
  ///   - key: The columns of a unique index. The index may have a condition; then rows outside the
  ///     condition have no conflict.
  /// - Throws: `PersistenceError`.
  /// - Complexity: O(records × columns); the statement is prepared once.
  func upsert<Records: Sequence>(
    _ records: Records, into table: String, key: [String]
  ) throws(PersistenceError) where Records.Element: Encodable

  /// Deletes the row with the record's key, and returns whether there was one.
  ///
  /// - Parameters:
  ///   - record: The record. Only its key columns are used.
  ///   - table: The table's name, unquoted.
  ///   - key: The columns to compare.
  /// - Throws: `PersistenceError`.
  @discardableResult
  func delete<Record: Encodable>(
    _ record: Record, from table: String, key: [String]
  ) throws(PersistenceError) -> Bool

  /// Records in this transaction that the remains of deleted rows must be erased.
  ///
  /// Call it in the transaction that deletes the rows of an account.
  /// ``PersistenceService/eraseMarked()`` and ``PersistenceService/eraseDeleted()`` remove the mark
  /// after they have erased the remains. If the process ends before that, a service with files
  /// erases them when it opens the file again. The default implementation does nothing, for a
  /// service without files.
  ///
  /// - Throws: `PersistenceError`.
  func markForErasing() throws(PersistenceError)
}

extension WriteTransaction {
  /// The default ignores the result of ``executeAndCount(_:)``.
  public func execute(_ statement: SQL) throws(PersistenceError) {
    _ = try executeAndCount(statement)
  }

  /// The default does nothing, which is correct for a service without files.
  public func markForErasing() throws(PersistenceError) {}
}

extension WriteTransaction {
  /// Inserts a record, with its coding keys as column names.
  ///
  /// - Throws: `PersistenceError`, of kind `constraint` if a row with the key exists.
  public func insert<Record: Encodable>(
    _ record: Record, into table: String
  ) throws(PersistenceError) {
    try insert(CollectionOfOne(record), into: table)
  }

  /// Inserts a record, or replaces the values of the row that has the same `id`.
  ///
  /// - Throws: `PersistenceError`.
  public func upsert<Record: Encodable>(
    _ record: Record, into table: String, key: [String] = ["id"]
  ) throws(PersistenceError) {
    try upsert(CollectionOfOne(record), into: table, key: key)
  }

  /// Inserts records, or replaces the values of rows that have the same `id`.
  ///
  /// - Throws: `PersistenceError`.
  public func upsert<Records: Sequence>(
    _ records: Records, into table: String
  ) throws(PersistenceError) where Records.Element: Encodable {
    try upsert(records, into: table, key: ["id"])
  }

  /// Deletes the row with the record's `id`, and returns whether there was one.
  ///
  /// - Throws: `PersistenceError`.
  @discardableResult
  public func delete<Record: Encodable>(
    _ record: Record, from table: String
  ) throws(PersistenceError) -> Bool {
    try delete(record, from: table, key: ["id"])
  }
}
