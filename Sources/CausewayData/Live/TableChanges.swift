/// What a commit changed, as far as live queries need to know.
public enum TableChanges: Sendable, Equatable {
  /// Rows of some tables.
  case tables(Set<String>)
  /// Anything: the schema changed, or another process did and only it knows what.
  case everything

  /// Nothing at all.
  public static let none = TableChanges.tables([])

  /// Adds what another commit changed.
  ///
  /// - Complexity: O(tables).
  public mutating func formUnion(_ other: TableChanges) {
    switch (self, other) {
    case (.tables(let mine), .tables(let others)): self = .tables(mine.union(others))
    default: self = .everything
    }
  }

  /// Whether a query that reads these tables may have other rows now.
  ///
  /// - Complexity: O(tables).
  public func touches(_ tables: Set<String>) -> Bool {
    switch self {
    case .everything: true
    case .tables(let changed): !changed.isDisjoint(with: tables)
    }
  }
}
