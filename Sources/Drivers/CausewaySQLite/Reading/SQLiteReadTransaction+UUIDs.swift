import CSQLite
import CausewayDatabase
import Foundation

extension SQLValue {
  /// Whether the value was a Swift `UUID`, and not a text that looks like a UUID.
  var isUUID: Bool { if case .uuid = self { true } else { false } }
}

extension SQLiteReadTransaction {
  /// The number of rows that are read to find out the form of a column's UUIDs.
  private static var sample: Int { 20 }

  /// Throws if the statement compares a bound UUID with a column that stores it in another form.
  ///
  /// Otherwise the comparison would find nothing, without an error.
  final func checkUUIDs(
    _ statement: Statement, _ bindings: [SQLValue]
  ) throws(PersistenceError) {
    for (index, value) in bindings.enumerated() {
      guard case .uuid(let uuid) = value, let table = statement.compared.table,
        let column = statement.compared.columns[index]
      else { continue }
      try check(uuid, table, column, statement, beside: bindings)
    }
  }

  /// Throws if the key of an upsert has a UUID that its column stores in another form.
  ///
  /// Otherwise the row would be stored twice.
  final func checkUUIDs(
    _ columns: RecordColumns, of key: [String], in table: String, _ statement: Statement
  ) throws(PersistenceError) {
    for (column, value) in zip(key, try columns.values(of: key)) {
      if case .uuid(let uuid) = value { try check(uuid, table, column, statement) }
    }
  }

  private func check(
    _ uuid: UUID, _ table: String, _ column: String, _ statement: Statement,
    beside bindings: [SQLValue] = []
  ) throws(PersistenceError) {
    let name: SQL = "\(identifier: column)"
    for form in try uuidForms(of: table, column, statement) {
      let value = form.value(of: uuid)
      // The query ignores values that equal the UUID because the column's collation ignores case.
      // It finds nothing if a row has the UUID in the usual form.
      let other: SQL = """
        SELECT 1 FROM \(identifier: table)
        WHERE \(name) = \(value) AND \(name) <> \(uuid.uuidString)
        AND NOT EXISTS (SELECT 1 FROM \(identifier: table) WHERE \(name) = \(uuid.uuidString))
        LIMIT 1
        """
      // A statement that also binds the other form looks for both forms on purpose.
      guard try values(other).isEmpty || bindings.contains(value) else {
        throw PersistenceError(
          .statement,
          message: "The column \"\(column)\" of \"\(table)\" has this UUID \(form.description)",
          sql: statement.text)
      }
    }
  }

  private func uuidForms(
    of table: String, _ column: String, _ statement: Statement
  ) throws(PersistenceError) -> Set<UUIDForm> {
    if let known = statement.uuidForms[column] { return known }
    let tables = try values(
      """
      SELECT name FROM sqlite_schema
      WHERE type = 'table' AND rootpage > 0 AND name = \(table) COLLATE NOCASE
      AND EXISTS (
        SELECT 1 FROM pragma_table_xinfo(\(table)) AS part
        WHERE part.name = \(column) COLLATE NOCASE)
      """)
    // A view can have other values, and the name may be the name of a result column.
    guard !tables.isEmpty else {
      statement.uuidForms[column] = []
      return []
    }
    let found = try values(
      "SELECT \(identifier: column) FROM \(identifier: table) LIMIT \(Self.sample)")
    let forms = Set(found.compactMap { UUIDForm($0) })
    // An empty table does not show the form, so its result is not kept.
    if found.count == Self.sample || found.contains(where: { $0 != .null }) {
      statement.uuidForms[column] = forms
    }
    return forms
  }

  /// The first column of a query of the service itself.
  private func values(_ query: SQL) throws(PersistenceError) -> [SQLValue] {
    let statement = try connection.prepare(query)
    defer { statement.reset() }
    try statement.bind(query.bindings)
    var values: [SQLValue] = []
    while try connection.step(statement) {
      // A text that is not UTF-8 is no UUID.
      values.append((try? StatementRow(statement).value(at: 0)) ?? .integer(0))
    }
    return values
  }
}
