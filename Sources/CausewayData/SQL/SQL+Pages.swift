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
  /// Rows may be inserted or deleted between two pages. Unlike an `OFFSET`, a key then skips no row
  /// and repeats none. Every page costs the same, however far it is from the first. An index on the
  /// columns makes it fast.
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
      let values = Self.list(key.map { "\($0.sqlValue)" })
      let comparison: SQL = isDescending ? "<" : ">"
      query = "\(query) WHERE (\(names)) \(comparison) (\(values))"
    }
    let order = isDescending ? Self.list(columns.map { "\(identifier: $0) DESC" }) : names
    return "\(query) ORDER BY \(order) LIMIT \(limit)"
  }

  /// Joins parts with commas.
  static func list(_ parts: [SQL]) -> SQL {
    parts.dropFirst().reduce(parts.first ?? "") { "\($0), \($1)" }
  }
}
