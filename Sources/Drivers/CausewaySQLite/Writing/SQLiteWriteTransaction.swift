import CSQLite
import CausewayDatabase

/// Reads and writes through the writer's connection; used inside one closure on its actor.
final class SQLiteWriteTransaction: SQLiteReadTransaction, WriteTransaction {
  /// The changes that live queries must handle after a commit.
  private(set) var changes = TableChanges.none

  private var savepoints = OpenSavepoints()

  override var mayWrite: Bool { true }

  override func check(_ statement: Statement) throws(PersistenceError) {
    try checkAccess(statement, allowsSavepoints: true)
    guard let savepoint = statement.access.savepoint else { return }
    try savepoints.check(savepoint, sql: statement.text)
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
        plan.statement = nil
        statement = try storing(plan.columns, into: table, conflict: conflict)
        plan.statement = statement
        plan.generation = plan.columns.generation
      }
      try check(statement)
      if let conflict, plan.columns.values.contains(where: \.isUUID) {
        try checkUUIDs(plan.columns, of: conflict, in: table, statement)
      }
      defer { statement.rewind() }
      try statement.bind(plan.columns.values)
      do {
        while try connection.step(statement) {}
      } catch {
        // The index of the conflict may have changed.
        if error.kind == .statement { plan.generation = -1 }
        throw error
      }
    }
  }

  private func storing(
    _ columns: RecordColumns, into table: String, conflict: [String]?
  ) throws(PersistenceError) -> Statement {
    do {
      return try connection.prepare(Self.storing(columns, into: table, conflict: conflict))
    } catch {
      guard let conflict, error.kind == .statement else { throw error }
      let conditions = try uniqueConditions(of: table, on: conflict)
      guard !conditions.isEmpty else { throw error }
      return try connection.prepare(
        Self.storing(columns, into: table, conflict: conflict, where: conditions))
    }
  }

  /// - Parameter conditions: The conditions of partial indexes; empty for an index of all rows.
  private static func storing(
    _ columns: RecordColumns, into table: String, conflict: [String]?,
    where conditions: [String] = []
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
    let targets =
      conditions.isEmpty ? ["(\(target))"] : conditions.map { "(\(target)) WHERE \($0)\n" }
    return targets.reduce(insertion) { "\($0) ON CONFLICT \($1) DO \(action)" }
  }

  /// Runs a statement until it ends, and returns the number of rows that it changed.
  @discardableResult
  private func run(
    _ statement: Statement, _ bindings: [SQLValue]
  ) throws(PersistenceError) -> Int {
    try check(statement)
    try checkUUIDs(statement, bindings)
    let changesBefore = connection.changeCount
    defer {
      statement.reset()
      note(statement, changesBefore: changesBefore)
    }
    try statement.bind(bindings)
    while try connection.step(statement) {}
    if let savepoint = statement.access.savepoint { savepoints.note(savepoint) }
    // SQLite keeps the count of the last statement that could change rows, so the count is valid
    // only if this statement could change rows.
    return statement.access.writes.isEmpty || statement.access.changesSchema
      ? 0 : Int(clamping: sqlite3_changes64(connection.database))
  }
}
