import CausewayDatabase

/// Reads through a connection, inside one closure on the connection's actor.
class SQLiteReadTransaction: ReadTransaction {
  let connection: Connection
  private(set) var isOpen = true
  /// The tables read so far, for live queries.
  private(set) var tables: Set<String> = []

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Invalidates the transaction, in case the closure has stored a reference to it.
  func end() {
    isOpen = false
  }

  func rows<T: Decodable>(_ query: SQL, as type: T.Type) throws(PersistenceError) -> [T] {
    try rows(query, as: type, limit: .max)
  }

  func row<T: Decodable>(_ query: SQL, as type: T.Type) throws(PersistenceError) -> T? {
    try rows(query, as: type, limit: 1).first
  }

  /// Whether statements may change rows and settings.
  var mayWrite: Bool { false }

  /// Throws if this transaction does not allow the statement.
  func check(_ statement: Statement) throws(PersistenceError) {
    try checkAccess(statement)
    // SQLite counts some statements as read-only although they attach a file or change the
    // connection.
    let access = statement.access
    guard statement.isReadOnly, !access.changesSettings, !access.changesSchema else {
      throw PersistenceError(
        .readOnly, message: "A read transaction cannot change anything", sql: statement.text)
    }
  }

  /// Called after a statement has ended or failed.
  func note(_ statement: Statement, changesBefore: Int64) {
    tables.formUnion(statement.access.reads)
  }

  final func checkAccess(
    _ statement: Statement, allowsSavepoints: Bool = false
  ) throws(PersistenceError) {
    guard isOpen else {
      throw PersistenceError(
        .statement, message: "The transaction has ended; use it only inside its closure",
        sql: statement.text)
    }
    // Some errors end the transaction, such as a full disk. Later statements of the closure must
    // not be committed one by one.
    guard connection.isInTransaction else { throw .aborted }
    let access = statement.access
    guard !access.controlsTransaction || (allowsSavepoints && access.savepoint != nil) else {
      throw PersistenceError(
        .statement, message: "The service begins and ends transactions by itself",
        sql: statement.text)
    }
  }

  private func rows<T: Decodable>(
    _ query: SQL, as type: T.Type, limit: Int
  ) throws(PersistenceError) -> [T] {
    var rows: [T] = []
    let isStored = RowDecoder.isStored(type)
    try forEachRow(query, as: type) { _, decoder in
      rows.append(try decoder.decode(type, isStored: isStored))
      return rows.count < limit
    }
    return rows
  }

  /// Runs a query again, and decodes only the rows that differ from the last result.
  final func rows<T: Decodable & Sendable>(
    _ query: SQL, as type: T.Type, reusing last: DecodedRows<T>
  ) throws(PersistenceError) -> DecodedRows<T> {
    var result = DecodedRows<T>()
    let isStored = RowDecoder.isStored(type)
    try forEachRow(query, as: type) { row, decoder in
      try result.append(row, reusing: last) { try decoder.decode(type, isStored: isStored) }
      return true
    }
    return result
  }

  /// Passes each row of a query to a closure until the closure returns false.
  private func forEachRow<T>(
    _ query: SQL, as type: T.Type, _ body: (StatementRow, RowDecoder) throws -> Bool
  ) throws(PersistenceError) {
    let statement = try connection.prepare(query, refusesSettings: !mayWrite)
    try forEachRow(statement, query, query.bindings, as: type, body)
  }

  /// - Parameters:
  ///   - query: The query that errors name.
  ///   - addedColumns: The number of columns at the end that do not belong to the rows.
  final func forEachRow<T>(
    _ statement: Statement, _ query: SQL, _ bindings: [SQLValue], addedColumns: Int = 0,
    as type: T.Type, _ body: (StatementRow, RowDecoder) throws -> Bool
  ) throws(PersistenceError) {
    try check(statement)
    try checkUUIDs(statement, bindings)
    statement.addedColumns = Int32(addedColumns)
    let changesBefore = connection.changeCount
    defer {
      statement.reset()
      note(statement, changesBefore: changesBefore)
    }
    try statement.bind(bindings)
    guard try connection.step(statement) else { return }
    let row = StatementRow(statement)
    let decoder = RowDecoder(row)
    while true {
      do {
        guard try body(row, decoder) else { return }
      } catch let error as PersistenceError {
        throw error.adding(sql: query.text)
      } catch {
        throw PersistenceError(undecodable: type, error, sql: query.text)
      }
      guard try connection.step(statement) else { return }
    }
  }
}
