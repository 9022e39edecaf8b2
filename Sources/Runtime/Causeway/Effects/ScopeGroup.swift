/// The linked scopes of one composition in one parent.
@MainActor
final class ScopeGroup {
  let composition: ObjectIdentifier
  /// The only scope, if there was no second scope since the group was empty; it needs no
  /// dictionary.
  private var only: EffectScope?
  /// The scopes by the id of the row or of the identifiable child, if there were several scopes.
  private var several: [ChildID?: EffectScope] = [:]
  /// Any of the scopes.
  ///
  /// The group reads the array of rows through it.
  private var sample: EffectScope?
  private var lastStamp: RowsStamp?
  /// The number of the rows that contain removable children with effects.
  var watchingCount = 0
  /// The index in a list of groups.
  fileprivate var position = 0

  init(_ composition: ObjectIdentifier) {
    self.composition = composition
  }

  var isEmpty: Bool { only == nil && several.isEmpty }

  func scope(_ row: ChildID?) -> EffectScope? {
    guard let only else { return several[row] }
    return only.row == row ? only : nil
  }

  /// Any of the scopes.
  var any: EffectScope? { only ?? several.values.first }

  func forEach(_ body: (EffectScope) -> Void) {
    if let only { return body(only) }
    for scope in several.values { body(scope) }
  }

  func insert(_ scope: EffectScope) {
    if scope.isWatching { watchingCount += 1 }
    if isEmpty {
      sample = scope
      lastStamp = scope.rowsStamp
      only = scope
      return
    }
    if let first = only.take() { several[first.row] = first }
    several[scope.row] = scope
  }

  func remove(_ scope: EffectScope) {
    if scope.isWatching { watchingCount -= 1 }
    if only === scope { only = nil } else { several[scope.row] = nil }
  }

  /// Adds the scopes whose children were removed, in this group and in its rows.
  ///
  /// Complexity: O(1) if the last step has changed or appended up to four rows. O(*n*) in the
  /// number of scopes if it has removed or moved rows, or has changed more than four.
  func collectGone(_ gone: inout [EffectScope]) {
    guard let stamp = sample?.rowsStamp else {
      lastStamp = nil
      return forEach { if !$0.isPresentInCheck { gone.append($0) } }
    }
    let last = lastStamp
    lastStamp = stamp
    if stamp.version == last?.version { return }
    let hasOldIDs = stamp.membership == last?.membership
    if hasOldIDs, watchingCount == 0 { return }
    let areKnown =
      last.flatMap { last in
        sample?.forEachChangedRow(since: last.version) { id in
          if watchingCount > 0 { scope(id)?.collectGoneInRow(&gone) }
        }
      } ?? false
    if areKnown { return }
    forEach { scope in
      if !hasOldIDs, !scope.isPresentInCheck {
        gone.append(scope)
      } else {
        scope.collectGoneInRow(&gone)
      }
    }
  }
}

/// The groups of one scope by their compositions.
@MainActor
struct ScopeGroupTable {
  /// The only group, if there was no second group since the table was empty; it needs no dictionary.
  private var only: ScopeGroup?
  private var several: [ObjectIdentifier: ScopeGroup] = [:]

  /// Any of the groups.
  var any: ScopeGroup? { only ?? several.values.first }

  var all: [ScopeGroup] {
    if let only { return [only] }
    return Array(several.values)
  }

  subscript(composition: ObjectIdentifier) -> ScopeGroup? {
    guard let only else { return several.isEmpty ? nil : several[composition] }
    return only.composition == composition ? only : nil
  }

  mutating func insert(_ group: ScopeGroup) {
    if only == nil, several.isEmpty {
      only = group
      return
    }
    if let first = only.take() { several[first.composition] = first }
    several[group.composition] = group
  }

  mutating func remove(_ group: ScopeGroup) {
    if only === group { only = nil } else { several[group.composition] = nil }
  }
}

/// A list of groups, with removal in constant time.
@MainActor
struct ScopeGroupList {
  private(set) var all: [ScopeGroup] = []

  var isEmpty: Bool { all.isEmpty }
  var count: Int { all.count }

  mutating func append(_ group: ScopeGroup) {
    group.position = all.count
    all.append(group)
  }

  /// Complexity: O(1).
  mutating func remove(_ group: ScopeGroup) {
    let last = all.removeLast()
    if group.position < all.count {
      all[group.position] = last
      last.position = group.position
    }
  }
}
