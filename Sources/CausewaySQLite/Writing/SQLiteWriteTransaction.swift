import CSQLite
import CausewayDatabase

/// Reads and writes through the writer's connection; used inside one closure on its actor.
final class SQLiteWriteTransaction: SQLiteReadTransaction, WriteTransaction {
  /// The changes that live queries must handle after a commit.
  private(set) var changes = TableChanges.none

  override var mayWrite: Bool { true }

  override func check(_ statement: Statement) throws(PersistenceError) {
    try checkAccess(statement)
  }

  override func note(_ statement: Statement, changesBefore: Int64) {
    connection.changed.note(statement, count: connection.changeCount - changesBefore)
    if statement.access.changesSchema {
      changes = .everything
    } else if !statement.access.writes.isEmpty, connection.changeCount != changesBefore {
      changes.formUnion(.tables(statement.access.writes))
    }
  }

  func executeAndCount(_ sql: SQL) throws(PersistenceError) -> Int {
    if sql.bindings.isEmpty, connection.isScript(sql.text) {
      var count = 0
      try connection.forEachStatement(in: sql.text) { statement throws(PersistenceError) in
        count = try run(statement, [])
      }
      return count
    }
    return try run(connection.prepare(sql), sql.bindings)
  }

  func insert<Records: Sequence>(_ records: Records, into table: String) throws(PersistenceError)
  where Records.Element: Encodable {
    try store(records, into: table, conflict: nil)
  }

  func upsert<Records: Sequence>(
    _ records: Records, into table: String, key: [String]
  ) throws(PersistenceError) where Records.Element: Encodable {
    try store(records, into: table, conflict: key)
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

  func markForErasing() throws(PersistenceError) {
    try connection.markForErasing()
  }

  private func store<Records: Sequence>(
    _ records: Records, into table: String, conflict: [String]?
  ) throws(PersistenceError) where Records.Element: Encodable {
    let plan = connection.plan(
      for: .init(record: ObjectIdentifier(Records.Element.self), table: table, conflict: conflict))
    let changesBefore = connection.changeCount
    defer {
      if let statement = plan.statement {
        statement.reset()
        note(statement, changesBefore: changesBefore)
      }
    }
    for record in records {
      try plan.columns.encode(record)
      let statement: Statement
      if let planned = plan.statement, plan.generation == plan.columns.generation {
        statement = planned
      } else {
        if let former = plan.statement {
          former.reset()
          connection.changed.noteColumns(former.access)
        }
        statement = try connection.prepare(
          Self.storing(plan.columns, into: table, conflict: conflict))
        plan.statement = statement
        plan.generation = plan.columns.generation
      }
      try check(statement)
      defer { statement.rewind() }
      try statement.bind(plan.columns.values)
      while try connection.step(statement) {}
    }
  }

  private static func storing(
    _ columns: RecordColumns, into table: String, conflict: [String]?
  ) throws(PersistenceError) -> String {
    let names = columns.names.map(SQL.quoted).joined(separator: ", ")
    let values = repeatElement("?", count: columns.names.count).joined(separator: ", ")
    let insertion = "INSERT INTO \(SQL.quoted(table)) (\(names)) VALUES (\(values))"
    guard let conflict else { return insertion }
    // This throws if the record has no such key.
    _ = try columns.values(of: conflict)
    let target = conflict.map(SQL.quoted).joined(separator: ", ")
    let updates = columns.names.filter { !conflict.contains($0) }.map {
      "\(SQL.quoted($0)) = excluded.\(SQL.quoted($0))"
    }
    let action = updates.isEmpty ? "NOTHING" : "UPDATE SET \(updates.joined(separator: ", "))"
    return "\(insertion) ON CONFLICT (\(target)) DO \(action)"
  }

  /// Runs a statement until it ends, and returns the number of rows that it changed.
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
    // SQLite keeps the count of the last statement that could change rows, so the count is valid
    // only if this statement could.
    return statement.access.writes.isEmpty || statement.access.changesSchema
      ? 0 : Int(clamping: sqlite3_changes64(connection.database))
  }
}
