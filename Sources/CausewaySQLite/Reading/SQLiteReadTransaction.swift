import CausewayData

/// Reads through a connection; used inside one closure on the connection's actor.
class SQLiteReadTransaction: ReadTransaction {
  let connection: Connection
  private(set) var isOpen = true
  /// The tables read so far, for live queries.
  private(set) var tables: Set<String> = []

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Makes the transaction useless for whoever kept it beyond its closure.
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

  /// Refuses what this transaction may not do, before it runs.
  func check(_ statement: Statement) throws(PersistenceError) {
    try checkAccess(statement)
    // SQLite calls some statements read-only that attach a file or change the connection.
    let access = statement.access
    guard statement.isReadOnly, !access.changesSettings, !access.changesSchema else {
      throw PersistenceError(
        .readOnly, message: "A read transaction cannot change anything", sql: statement.text)
    }
  }

  /// Called after a statement has run to its end or has failed.
  func note(_ statement: Statement, changesBefore: Int64) {
    tables.formUnion(statement.access.reads)
  }

  final func checkAccess(_ statement: Statement) throws(PersistenceError) {
    guard isOpen else {
      throw PersistenceError(
        .statement, message: "The transaction is over; use it inside its closure only",
        sql: statement.text)
    }
    // Some errors, a full disk for one, end the transaction. What comes after must not be
    // committed on its own.
    guard connection.isInTransaction else { throw .aborted }
    guard !statement.access.controlsTransaction else {
      throw PersistenceError(
        .statement, message: "The service begins and ends transactions by itself",
        sql: statement.text)
    }
  }

  private func rows<T: Decodable>(
    _ query: SQL, as type: T.Type, limit: Int
  ) throws(PersistenceError) -> [T] {
    let statement = try connection.prepare(query, refusesSettings: !mayWrite)
    try check(statement)
    let changesBefore = connection.changeCount
    defer {
      statement.reset()
      note(statement, changesBefore: changesBefore)
    }
    try statement.bind(query.bindings)
    guard try connection.step(statement) else { return [] }
    let decoder = RowDecoder(statement)
    defer { decoder.finish() }
    let isStored = RowDecoder.isStored(type)
    var rows: [T] = []
    while true {
      do {
        rows.append(try decoder.decode(type, isStored: isStored))
      } catch let error as PersistenceError {
        throw error.adding(sql: query.text)
      } catch {
        throw PersistenceError(
          .decoding, message: "A row cannot become a \(type): \(RowDecoder.reason(of: error))",
          sql: query.text)
      }
      if rows.count >= limit { return rows }
      guard try connection.step(statement) else { return rows }
    }
  }
}
