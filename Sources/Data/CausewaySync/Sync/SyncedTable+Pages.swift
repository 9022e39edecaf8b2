import CausewayDatabase

/// A column of a synced table that a page may be sorted by.
private struct PageColumn: Decodable {
  let name: String
  let notnull: Bool
}

extension SyncedTable {
  /// The values of a record in the columns that sort a page; the next page begins after them.
  static func values(
    of record: Record, _ order: [String]
  ) throws(PersistenceError) -> [SQLValue] {
    let columns = RecordColumns()
    try columns.encode(record)
    // SQLite ignores the case of ASCII letters in names.
    let names = columns.names.map { $0.lowercased() }
    // A property that is nil has no column in the encoded record.
    return order.map { key in
      names.firstIndex(of: key.lowercased()).map { columns.values[$0] } ?? .null
    }
  }

  /// Whether one of the columns of an order may be NULL.
  ///
  /// - Throws: `PersistenceError` of kind `statement` if a name is not a column of the records.
  ///   SQLite would treat the name as a text, and each page would be the first page.
  func hasNullable(
    _ order: [String], in transaction: any ReadTransaction
  ) throws(PersistenceError) -> Bool {
    let columns = try transaction.rows(
      """
      SELECT name, "notnull" FROM pragma_table_info(\(base)) WHERE name NOT LIKE 'sync%'
      """, as: PageColumn.self)
    var hasNullable = false
    for name in order {
      guard let column = columns.first(where: { $0.name.lowercased() == name.lowercased() }) else {
        throw PersistenceError(
          .statement, message: "The records of \(self.name) have no column \(name) to sort by")
      }
      if !column.notnull { hasNullable = true }
    }
    return hasNullable
  }
}
