/// The rows that changed in the last versions of a live query.
struct RowHistory {
  private static var limit: Int { 16 }

  private var versions: [(number: Int, ids: Set<Int64>?)] = []
  /// The changes since the last version; `nil` if they are not known.
  private var pending: Set<Int64>? = []

  /// Adds the changes of a run; `nil` if every row may have changed.
  mutating func add(_ ids: Set<Int64>?) {
    guard let ids, pending != nil else {
      pending = nil
      return
    }
    pending?.formUnion(ids)
  }

  /// Records the changes since the last version as the changes of a new version.
  mutating func seal(_ number: Int) {
    if versions.count == Self.limit { versions.removeFirst() }
    versions.append((number, pending))
    pending = []
  }

  /// The changes after a version; `nil` if they are not known.
  func changes(after seen: Int) -> Set<Int64>? {
    guard seen > 0, let first = versions.first, first.number <= seen + 1 else { return nil }
    var changes: Set<Int64> = []
    for (number, ids) in versions where number > seen {
      guard let ids else { return nil }
      changes.formUnion(ids)
    }
    return changes
  }
}
