import CSQLite
import CausewayData

/// Reads and writes through the writer's connection; used inside one closure on its actor.
final class SQLiteWriteTransaction: SQLiteReadTransaction, WriteTransaction {
  /// What a commit would tell live queries.
  private(set) var changes = TableChanges.none

  override func check(_ statement: Statement) throws(PersistenceError) {
    try checkAccess(statement)
  }

  override func note(_ statement: Statement, changesBefore: Int64) {
    if statement.access.changesSchema {
      changes = .everything
    } else if !statement.access.writes.isEmpty, connection.changeCount != changesBefore {
      changes.formUnion(.tables(statement.access.writes))
    }
  }

  @discardableResult
  func execute(_ sql: SQL) throws(PersistenceError) -> Int {
    if sql.bindings.isEmpty, connection.isScript(sql.text) {
      var count = 0
      try connection.forEachStatement(in: sql.text) { statement throws(PersistenceError) in
        count = try run(statement, [])
      }
      return count
    }
    return try run(connection.prepare(sql.text), sql.bindings)
  }

  func insert<Records: Sequence>(_ records: Records, into table: String) throws(PersistenceError)
  where Records.Element: Encodable {
    try store(records) { columns throws(PersistenceError) in
      Self.insertion(of: columns.names, into: table)
    }
  }

  func upsert<Records: Sequence>(
    _ records: Records, into table: String, key: [String]
  ) throws(PersistenceError) where Records.Element: Encodable {
    try store(records) { columns throws(PersistenceError) in
      // Fails for a key that the record does not have.
      _ = try columns.values(of: key)
      let updates = columns.names.filter { !key.contains($0) }.map {
        "\(SQL.quoted($0)) = excluded.\(SQL.quoted($0))"
      }
      let target = key.map(SQL.quoted).joined(separator: ", ")
      let action =
        updates.isEmpty ? "NOTHING" : "UPDATE SET \(updates.joined(separator: ", "))"
      return Self.insertion(of: columns.names, into: table)
        + " ON CONFLICT (\(target)) DO \(action)"
    }
  }

  func delete<Record: Encodable>(
    _ record: Record, from table: String, key: [String]
  ) throws(PersistenceError) -> Bool {
    let columns = RecordColumns()
    try columns.encode(record)
    let condition = key.map { "\(SQL.quoted($0)) = ?" }.joined(separator: " AND ")
    let statement = try connection.prepare(
      "DELETE FROM \(SQL.quoted(table)) WHERE \(condition)")
    return try run(statement, columns.values(of: key)) > 0
  }

  private static func insertion(of columns: [String], into table: String) -> String {
    let names = columns.map(SQL.quoted).joined(separator: ", ")
    let values = repeatElement("?", count: columns.count).joined(separator: ", ")
    return "INSERT INTO \(SQL.quoted(table)) (\(names)) VALUES (\(values))"
  }

  private func store<Records: Sequence>(
    _ records: Records, text: (RecordColumns) throws(PersistenceError) -> String
  ) throws(PersistenceError) where Records.Element: Encodable {
    let columns = RecordColumns()
    var statement: Statement?
    var generation = 0
    for record in records {
      try columns.encode(record)
      if let statement, generation == columns.generation {
        try run(statement, columns.values)
      } else {
        let fresh = try connection.prepare(text(columns))
        statement = fresh
        generation = columns.generation
        try run(fresh, columns.values)
      }
    }
  }

  /// Runs a statement to its end and returns how many rows it changed.
  @discardableResult
  private func run(
    _ statement: Statement, _ bindings: [SQLValue]
  ) throws(PersistenceError) -> Int {
    try check(statement)
    let changesBefore = connection.changeCount
    defer {
      statement.reset()
      note(statement, changesBefore: changesBefore)
    }
    try statement.bind(bindings)
    while try connection.step(statement) {}
    // SQLite's count is that of the last statement that could change rows.
    return statement.access.writes.isEmpty || statement.access.changesSchema
      ? 0 : Int(sqlite3_changes64(connection.database))
  }
}
