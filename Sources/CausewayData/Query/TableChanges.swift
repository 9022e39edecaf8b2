/// What a commit changed, as far as live queries need to know.
package enum TableChanges: Sendable, Equatable {
  case tables(Set<String>)
  /// The schema changed, or another process did and only it knows what.
  case everything

  package static let none = TableChanges.tables([])

  package mutating func formUnion(_ other: TableChanges) {
    switch (self, other) {
    case (.tables(let mine), .tables(let others)): self = .tables(mine.union(others))
    default: self = .everything
    }
  }

  package func touches(_ tables: Set<String>) -> Bool {
    switch self {
    case .everything: true
    case .tables(let changed): !changed.isDisjoint(with: tables)
    }
  }
}
