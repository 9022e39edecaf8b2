import CausewayDatabase

/// One page of the shown records of a scope.
public struct SyncedPage<Record: Sendable>: Sendable {
  /// The records in order.
  public var rows: [Synced<Record>]
  /// The beginning of the next page; `nil` after the last page.
  public var next: Position?

  /// The position after a record, in the order of its page.
  public struct Position: Sendable, Equatable {
    let values: [SQLValue]
  }
}

extension SyncedPage.Position where Record: Encodable {
  init(behind record: Record, _ keys: [String]) throws(PersistenceError) {
    let columns = RecordColumns()
    try columns.encode(record)
    // SQLite ignores the case of ASCII letters in names.
    let names = columns.names.map { $0.lowercased() }
    // A property that is nil has no column in the encoded record.
    values = keys.map { key in
      names.firstIndex(of: key.lowercased()).map { columns.values[$0] } ?? .null
    }
  }
}

/// A column of a synced table that a page may be sorted by.
private struct PageColumn: Decodable {
  let name: String
  let notnull: Bool
}

extension SyncedTable {
  /// Whether one of the columns of an order may be NULL.
  ///
  /// - Throws: `PersistenceError` of kind `statement` if a name is not of a record's column. SQLite
  ///   would read it as a text, and each page would be the first one.
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
