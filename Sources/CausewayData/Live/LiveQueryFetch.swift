/// What a service answers when a live query asks it for rows.
public struct LiveQueryFetch<Row: Sendable>: Sendable {
  /// The rows at one moment.
  public var rows: [Row]
  /// The tables that the query reads, through views and joins too.
  public var tables: Set<String>

  /// Makes an answer.
  ///
  /// - Parameters:
  ///   - rows: The rows at one moment.
  ///   - tables: The tables that the query reads, through views and joins too.
  public init(rows: [Row], tables: Set<String>) {
    self.rows = rows
    self.tables = tables
  }
}
