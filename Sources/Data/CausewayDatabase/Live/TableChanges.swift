/// The tables that a commit changed.
package enum TableChanges: Sendable, Equatable {
  /// Rows of these tables.
  case tables(Set<String>)
  /// Any table may have changed: the schema was changed, or another process committed.
  case everything

  /// No changes.
  package static let none = TableChanges.tables([])

  /// Adds the changes of another commit.
  ///
  /// - Complexity: O(tables).
  package mutating func formUnion(_ other: TableChanges) {
    switch (self, other) {
    case (.tables(let mine), .tables) where mine.isEmpty: self = other
    case (.tables(let mine), .tables(let others)): self = .tables(mine.union(others))
    default: self = .everything
    }
  }

  /// Whether the changes may affect a query that reads the given tables.
  ///
  /// - Complexity: O(tables).
  package func touches(_ tables: Set<String>) -> Bool {
    switch self {
    case .everything: true
    case .tables(let changed): !changed.isDisjoint(with: tables)
    }
  }
}
