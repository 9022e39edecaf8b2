/// What differs between two versions of a board.
extension Activities {
  /// An activity before and after a change; `nil` where it is not on the board.
  package struct Change: Sendable {
    package var before, after: Activity?

    package init(before: Activity? = nil, after: Activity? = nil) {
      (self.before, self.after) = (before, after)
    }
  }

  /// The activities that differ from those of another version.
  ///
  /// Complexity: O(parts + changes × 128) if one version was made from the other.
  package func changes(since old: Activities) -> [Change] {
    let (fresh, gone) = differing(from: old)
    var before = Dictionary(gone.lazy.flatMap(\.rows).map { ($0.id, $0) }) { first, _ in first }
    var changes: [Change] = []
    for activity in fresh.lazy.flatMap(\.rows) {
      let last = before.removeValue(forKey: activity.id)
      if last?.isIdentical(to: activity) != true {
        changes.append(Change(before: last, after: activity))
      }
    }
    return changes + before.values.map { Change(before: $0) }
  }

  /// The parts that only this version has, and the parts that only the other version has.
  private func differing(from old: Activities) -> (fresh: [Part], gone: [Part]) {
    let shorter = Swift.min(parts.count, old.parts.count)
    let start = (0..<shorter).first { parts[$0] !== old.parts[$0] } ?? shorter
    let end =
      (0..<(shorter - start)).first {
        parts[parts.count - 1 - $0] !== old.parts[old.parts.count - 1 - $0]
      } ?? shorter - start
    let (fresh, gone) = (
      parts[start..<(parts.count - end)], old.parts[start..<(old.parts.count - end)]
    )
    if fresh.count < 2 || gone.count < 2 { return (Array(fresh), Array(gone)) }
    let ids = Set(fresh.map(ObjectIdentifier.init))
    let oldIDs = Set(gone.map(ObjectIdentifier.init))
    return (
      fresh.filter { !oldIDs.contains(ObjectIdentifier($0)) },
      gone.filter { !ids.contains(ObjectIdentifier($0)) }
    )
  }
}

extension Activities: Equatable {
  /// Whether both have equal activities and the same edges.
  ///
  /// Complexity: O(parts) if one was made from the other without a change, otherwise O(*n*).
  public static func == (left: Activities, right: Activities) -> Bool {
    guard left.count == right.count, left.edges == right.edges else { return false }
    return left.parts.elementsEqual(right.parts, by: ===) || left.elementsEqual(right)
  }
}
