/// An owner of effects in the tree of interactors: the root, or a composed child.
///
/// Equal ids in two scopes name two different effects. A scope is linked into its parent while it
/// has members: effects, open throttling windows, sequences, and scopes with members. The next
/// effect of the same child reuses a linked scope.
@MainActor
@usableFromInline
class EffectScope {
  @usableFromInline final let core: RuntimeCore
  final let parent: EffectScope?
  /// Identifies the composition of the child; `nil` for the root.
  ///
  /// A subclass retains the composition.
  final let composition: ObjectIdentifier?
  /// The id of the row or of the identifiable child.
  final let row: ChildID?
  /// Whether the child, or an ancestor of it, can be removed.
  final let isConditional: Bool
  // Unchecked, like the next properties: every access is a single load or store on the main actor.
  /// Whether the child was removed.
  ///
  /// A later child with the same id gets a new scope.
  @exclusivity(unchecked) private(set) final var isGone = false
  /// Whether the child existed at the last check of this scope.
  @exclusivity(unchecked) private final var wasPresent = false
  /// `Int32`, like the flags above, because it fits beside them: each view model has a root scope.
  @exclusivity(unchecked) private final var memberCount: Int32 = 0
  /// The number of the last check of this scope.
  @exclusivity(unchecked) private final var checkNumber = 0
  /// The group of this scope and its siblings, while this scope is linked.
  @exclusivity(unchecked) private final var group: ScopeGroup?
  // Unchecked, like the lists below: no other code uses a list while it changes.
  @exclusivity(unchecked) private final var effects = EffectList()
  private final var windows: [EffectKey] = []
  /// The groups of the linked children, by their compositions.
  @exclusivity(unchecked) private final var groups = ScopeGroupTable()
  /// The groups of removable children in this row, without those in rows of this row.
  @exclusivity(unchecked) private final var watched = ScopeGroupList()

  /// Makes a root scope.
  @usableFromInline
  init(core: RuntimeCore) {
    self.core = core
    parent = nil
    composition = nil
    row = nil
    isConditional = false
  }

  /// Makes the scope of a child.
  ///
  /// It is linked when it gets its first member.
  @usableFromInline
  init(_ parent: EffectScope, _ composition: ObjectIdentifier, row: ChildID?, canGo: Bool) {
    core = parent.core
    self.parent = parent
    self.composition = composition
    self.row = row
    isConditional = canGo || parent.isConditional
  }

  /// Whether the child exists.
  var isPresent: Bool { true }

  /// Stores whether the child exists, for the other scopes of the same check.
  final func note(_ isPresent: Bool) {
    let number = core.checkNumber
    if number == 0 { return }
    checkNumber = number
    wasPresent = isPresent
  }

  /// Whether the child exists; determined once in each check.
  ///
  /// Looking up a child also looks up all of its ancestors. Each check therefore begins with the
  /// deepest scope, and the ancestors of that scope store their own results.
  final var isPresentInCheck: Bool {
    let number = core.checkNumber
    if checkNumber == number { return wasPresent }
    var deepest = self
    while let inner = deepest.groups.any?.any, inner.checkNumber != number {
      deepest = inner
    }
    _ = deepest.isPresent
    return checkNumber == number ? wasPresent : isPresent
  }

  /// Whether the child is a row of an array.
  var isRow: Bool { false }

  /// The stamp of the array of rows; `nil` while there is no array.
  var rowsStamp: RowsStamp? { nil }

  /// Calls `body` with the id of each row that was changed or appended since a version.
  ///
  /// Returns false without calling `body` if the changes are not known.
  func forEachChangedRow(since version: UInt64, _ body: (ChildID) -> Void) -> Bool { false }

  /// Whether effects of this scope may start.
  final var admits: Bool { !isConditional || (!isGone && isPresent) }

  /// The linked scope of a child.
  final func child(_ composition: ObjectIdentifier, _ row: ChildID?) -> EffectScope? {
    groups[composition]?.scope(row)
  }

  /// Counts a member until ``end()``.
  final func begin() {
    var scope = self
    while true {
      scope.memberCount += 1
      guard scope.memberCount == 1, let parent = scope.parent else { return }
      parent.link(scope)
      scope = parent
    }
  }

  /// Reverses one call of ``begin()``.
  final func end() {
    var scope = self
    while true {
      scope.memberCount -= 1
      guard scope.memberCount == 0, let parent = scope.parent else { return }
      parent.unlink(scope)
      scope = parent
    }
  }

  /// Complexity: O(1).
  final func insert(_ effect: Effect) {
    // The effects of a scope that always exists are not listed, and there may be many of them.
    if !isConditional { return begin() }
    effects.append(effect) { $0.scopePosition = $1 }
    begin()
  }

  /// Complexity: O(1).
  final func remove(_ effect: Effect) {
    if !isConditional { return end() }
    effects.remove(at: effect.scopePosition)
    end()
  }

  final func insert(window: EffectKey) {
    windows.append(window)
    begin()
  }

  final func remove(window: EffectKey) {
    windows.removeAll { $0 == window }
    end()
  }

  private func link(_ child: EffectScope) {
    guard let key = child.composition, !child.isGone else { return }
    let group: ScopeGroup
    if let known = groups[key] {
      group = known
    } else {
      group = ScopeGroup(key)
      groups.insert(group)
      if child.isConditional { watch(group) }
    }
    group.insert(child)
    child.group = group
  }

  private func unlink(_ child: EffectScope) {
    guard let group = child.group.take() else { return }
    group.remove(child)
    guard group.isEmpty else { return }
    groups.remove(group)
    if child.isConditional { unwatch(group) }
  }

  /// The nearest row that contains the children of this scope; it may be this scope itself.
  private var nearestRow: EffectScope? {
    var scope = self
    while !scope.isRow {
      guard let parent = scope.parent else { return nil }
      scope = parent
    }
    return scope
  }

  /// Adds a group of removable children to the groups that are checked after a change.
  ///
  /// A group in a row is checked only when that row has changed.
  private func watch(_ group: ScopeGroup) {
    guard let row = nearestRow else { return core.effects.watch(group) }
    row.watched.append(group)
    if row.watched.count == 1 { row.group?.watchingCount += 1 }
  }

  private func unwatch(_ group: ScopeGroup) {
    guard let row = nearestRow else { return core.effects.unwatch(group) }
    row.watched.remove(group)
    if row.watched.isEmpty { row.group?.watchingCount -= 1 }
  }

  /// Whether the row contains removable children with effects.
  final var isWatching: Bool { !watched.isEmpty }

  /// Adds the scopes in this row whose children were removed.
  final func collectGoneInRow(_ gone: inout [EffectScope]) {
    for group in watched.all { group.collectGone(&gone) }
  }

  /// Marks this scope and its descendants as removed, and collects their effects and windows.
  final func leave(_ effects: inout [Effect], _ windows: inout [EffectKey]) {
    if isGone { return }
    isGone = true
    parent?.unlink(self)
    effects += self.effects.all
    windows += self.windows
    for group in groups.all {
      group.forEach { $0.leave(&effects, &windows) }
    }
  }
}
