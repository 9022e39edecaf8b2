/// The result of one run of a live query.
package struct LiveQueryFetch<Row: Sendable>: Sendable {
  /// The rows at one moment.
  let rows: LiveRows<Row>
  /// The tables that the query reads, including those in views and joins.
  package var tables: Set<String>
  /// Whether the rows differ from the rows of the previous run; `nil` if they must be compared.
  let isDifferent: Bool?

  /// Makes a result.
  ///
  /// - Parameters:
  ///   - rows: The rows at one moment.
  ///   - tables: The tables that the query reads, including those in views and joins.
  package init(rows: [Row], tables: Set<String>) {
    self.init(rows: LiveRows(rows), tables: tables, isDifferent: nil)
  }

  /// Makes a result with identities.
  ///
  /// - Parameter isDifferent: Whether the rows differ from the rows of the previous run; `nil` if
  ///   they must be compared.
  package init(rows: LiveRows<Row>, tables: Set<String>, isDifferent: Bool?) {
    self.rows = rows
    self.tables = tables
    self.isDifferent = isDifferent
  }
}
