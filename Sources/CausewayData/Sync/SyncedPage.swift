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
    // If a property is `nil`, the encoded record has no column for it.
    values = keys.map { key in columns.names.firstIndex(of: key).map { columns.values[$0] } ?? .null
    }
  }
}

extension SyncedPage.Position {
  /// The condition for the records after this position.
  ///
  /// - Parameter hasNulls: Whether a column of the order can be NULL.
  func following(_ keys: [String], isDescending: Bool, hasNulls: Bool) -> SQL {
    precondition(keys.count == values.count, "The position belongs to a page with another order.")
    // SQLite can use an index for a comparison of several columns at once. But the result of such a
    // comparison is NULL if one of the values is NULL. In a descending order, records with NULL
    // come last.
    if !values.contains(.null), !(hasNulls && isDescending) {
      let names = SQL.list(keys.map { SQL(text: SQL.quoted($0)) })
      let bounds = SQL.list(values.map { "\($0)" })
      return isDescending ? "(\(names)) < (\(bounds))" : "(\(names)) > (\(bounds))"
    }
    // In an ORDER BY, NULL is smaller than every value.
    var condition: SQL = "0"
    for (key, value) in zip(keys, values).reversed() {
      let column = SQL(text: SQL.quoted(key))
      let isBehind: SQL =
        switch (value, isDescending) {
        case (.null, true): "0"
        case (.null, false): "\(column) IS NOT NULL"
        case (_, true): "(\(column) < \(value) OR \(column) IS NULL)"
        case (_, false): "\(column) > \(value)"
        }
      condition = "(\(isBehind) OR (\(column) IS \(value) AND \(condition)))"
    }
    return condition
  }
}

extension SyncedTable {
  /// Whether one of these columns can be NULL.
  func hasNullable(
    _ columns: [String], in transaction: any ReadTransaction
  ) throws(PersistenceError) -> Bool {
    try transaction.row(
      """
      SELECT 1 FROM pragma_table_info(\(base)) WHERE name IN \(list: columns) AND NOT "notnull"
      """, as: Int.self) != nil
  }
}
