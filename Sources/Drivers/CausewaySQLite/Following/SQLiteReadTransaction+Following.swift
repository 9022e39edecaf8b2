import CSQLite
import CausewayDatabase

extension SQLiteReadTransaction {
  /// All rows of a followed query, with their identities.
  ///
  /// Rows whose keys cannot be compared have no identities. `steps` tells how long the query took.
  func rows<T: Decodable & Sendable>(
    _ query: SQL, _ followed: FollowedQuery, as type: T.Type, reusing last: DecodedRows<T>
  ) throws(PersistenceError) -> (rows: LiveRows<T>?, decoded: DecodedRows<T>, steps: Int) {
    var result = DecodedRows<T>()
    var (ids, keys): ([Int64], [SQLValue]?) = ([], [])
    let isStored = RowDecoder.isStored(type)
    let statement = try connection.prepare(followed.all)
    sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_VM_STEP, 1)
    try forEachRow(
      statement, query, query.bindings, addedColumns: followed.addedColumns, as: type
    ) { row, decoder in
      try result.append(row, reusing: last) { try decoder.decode(type, isStored: isStored) }
      ids.append(row.rowID)
      if let added = row.orderKeys(followed) { keys? += added } else { keys = nil }
      return true
    }
    let rows = keys.map { LiveRows(result.rows, ids: ids, keys: $0, order: followed.order) }
    let steps = sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_VM_STEP, 0)
    return (rows, result, Int(steps))
  }

  /// Returns the rows with the given row ids, if a followed query contains them.
  ///
  /// Returns `nil` if the keys of a row cannot be compared.
  func replacements<T: Decodable & Sendable>(
    _ query: SQL, _ followed: FollowedQuery, _ ids: Set<Int64>, as type: T.Type
  ) throws(PersistenceError) -> [LiveRows<T>.Replacement]? {
    var result: [LiveRows<T>.Replacement]? = []
    let isStored = RowDecoder.isStored(type)
    let statement = try connection.prepare(followed.one)
    for id in ids {
      let bindings = query.bindings + [.integer(id)]
      try forEachRow(
        statement, query, bindings, addedColumns: followed.addedColumns, as: type
      ) { row, decoder in
        guard let keys = row.orderKeys(followed) else {
          result = nil
          return false
        }
        let value = try decoder.decode(type, isStored: isStored)
        result?.append(LiveRows.Replacement(id: row.rowID, keys: keys, row: value))
        return true
      }
    }
    return result
  }
}

extension StatementRow {
  private var firstAdded: Int32 { Int32(columns.names.count) }

  fileprivate var rowID: Int64 { sqlite3_column_int64(row, firstAdded) }

  fileprivate func orderKeys(_ query: FollowedQuery) -> [SQLValue]? {
    var keys: [SQLValue] = []
    for offset in 1..<Int32(query.addedColumns) {
      guard let value = try? value(at: firstAdded + offset) else { return nil }
      keys.append(value)
    }
    return keys
  }
}
