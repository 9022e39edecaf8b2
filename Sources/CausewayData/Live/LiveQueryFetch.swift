/// The result of one run of a live query.
public struct LiveQueryFetch<Row: Sendable>: Sendable {
  /// The rows at one moment.
  public var rows: [Row]
  /// The tables that the query reads, including those in views and joins.
  public var tables: Set<String>

  /// Makes a result.
  ///
  /// - Parameters:
  ///   - rows: The rows at one moment.
  ///   - tables: The tables that the query reads, including those in views and joins.
  public init(rows: [Row], tables: Set<String>) {
    self.rows = rows
    self.tables = tables
  }
}
