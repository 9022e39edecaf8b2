extension SQL {
  /// Returns the first rows of a query, or the rows that follow a key.
  ///
  /// ```swift
  /// let query: SQL = "SELECT * FROM activity"
  /// let first = query.page(orderedBy: ["start", "id"], limit: 20)
  /// let next = query.page(
  ///   orderedBy: ["start", "id"], after: [last.start, last.id], limit: 20)
  /// ```
  ///
  /// If rows are inserted or deleted between two pages, the page after a key does not skip or
  /// repeat other rows. A page with an `OFFSET` could. The cost of a page does not depend on its
  /// distance from the first page. An index on the columns makes the pages fast.
  ///
  /// - Parameters:
  ///   - columns: The columns of the order, which together identify a row. They must not be NULL.
  ///   - key: The values of the columns in the last row of the previous page, in the same order;
  ///     `nil` for the first page.
  ///   - isDescending: Whether the order is descending in all columns.
  ///   - limit: The largest number of rows.
  public func page(
    orderedBy columns: [String], after key: [any SQLConvertible]? = nil,
    isDescending: Bool = false, limit: Int
  ) -> SQL {
    precondition(!columns.isEmpty, "A page needs an order.")
    precondition(key.map { $0.count == columns.count } ?? true, "A key has a value per column.")
    let names = Self.list(columns.map { "\(identifier: $0)" })
    var query: SQL = "SELECT * FROM (\(self)) AS \(identifier: "page")"
    if let key {
      let condition = Self.rows(
        after: key.map(\.sqlValue), columns, isDescending: isDescending, hasNulls: false)
      query = "\(query) WHERE \(condition)"
    }
    let order = isDescending ? Self.list(columns.map { "\(identifier: $0) DESC" }) : names
    return "\(query) ORDER BY \(order) LIMIT \(limit)"
  }

  /// The condition for the rows after a key.
  ///
  /// - Parameters:
  ///   - key: The values of the columns in the row before the first one to return.
  ///   - columns: The columns of the order.
  ///   - isDescending: Whether the order is descending in all columns.
  ///   - hasNulls: Whether a column can be NULL.
  package static func rows(
    after key: [SQLValue], _ columns: [String], isDescending: Bool, hasNulls: Bool
  ) -> SQL {
    precondition(key.count == columns.count, "A key has a value for each column of the order.")
    // SQLite can use an index for a comparison of several columns at once. But the result of such a
    // comparison is NULL if one of the values is NULL. In a descending order, rows with NULL come
    // last.
    if !key.contains(.null), !(hasNulls && isDescending) {
      let names = list(columns.map { "\(identifier: $0)" })
      let bounds = list(key.map { "\($0)" })
      return isDescending ? "(\(names)) < (\(bounds))" : "(\(names)) > (\(bounds))"
    }
    // In an ORDER BY, NULL is smaller than every value.
    var condition: SQL = "0"
    for (name, value) in zip(columns, key).reversed() {
      let column: SQL = "\(identifier: name)"
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

  /// Joins parts with commas.
  package static func list(_ parts: [SQL]) -> SQL {
    parts.dropFirst().reduce(parts.first ?? "") { "\($0), \($1)" }
  }
}
