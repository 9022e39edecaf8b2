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
  /// The composition of the child; `nil` for the root.
  final let composition: CompositionSite?
  /// The id of the row or of the identifiable child.
  final let row: AnyHashable?
  /// Whether the child, or an ancestor of it, can be removed.
  final let isConditional: Bool
  /// Whether the child was removed.
  ///
  /// A later child with the same id gets a new scope.
  private(set) final var isGone = false
  private final var memberCount = 0
  private final var isLinked = false
  private final var effects = EffectList()
  private final var windows: [EffectKey] = []
  private final var groups: [ObjectIdentifier: ScopeGroup] = [:]

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
  init(_ parent: EffectScope, _ composition: CompositionSite, row: AnyHashable?, canGo: Bool) {
    core = parent.core
    self.parent = parent
    self.composition = composition
    self.row = row
    isConditional = canGo || parent.isConditional
  }

  /// The scope of named effects.
  var named: EffectScope { self }

  /// Whether the child exists.
  var isPresent: Bool { true }

  /// A value that changes whenever a child of this composition and parent may have been removed.
  ///
  /// `nil` if checking each child is not slower than comparing such a value.
  var siblingsStamp: UInt64? { nil }

  /// Whether effects of this scope may start.
  final var admits: Bool { !isConditional || (!isGone && isPresent) }

  /// The linked scope of a child.
  final func child(_ composition: CompositionSite, _ row: AnyHashable?) -> EffectScope? {
    groups[ObjectIdentifier(composition)]?.scope(row)
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
    // The root's effects are never listed, and there may be many of them.
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
    guard let composition = child.composition, !child.isGone else { return }
    let key = ObjectIdentifier(composition)
    let group: ScopeGroup
    if let known = groups[key] {
      group = known
    } else {
      group = ScopeGroup()
      groups[key] = group
      if child.isConditional { core.effects.watch(group) }
    }
    group.insert(child)
    child.isLinked = true
  }

  private func unlink(_ child: EffectScope) {
    guard child.isLinked, let composition = child.composition else { return }
    child.isLinked = false
    let key = ObjectIdentifier(composition)
    guard let group = groups[key] else { return }
    group.remove(child)
    guard group.isEmpty else { return }
    groups[key] = nil
    if child.isConditional { core.effects.unwatch(group) }
  }

  /// Marks this scope and its descendants as removed, and collects their effects and windows.
  final func leave(_ effects: inout [Effect], _ windows: inout [EffectKey]) {
    if isGone { return }
    isGone = true
    parent?.unlink(self)
    effects += self.effects.all
    windows += self.windows
    for group in groups.values {
      group.forEach { $0.leave(&effects, &windows) }
    }
  }
}

/// The linked scopes of one composition in one parent.
@MainActor
final class ScopeGroup {
  /// The scope, if there is only one; it needs no dictionary.
  private var only: EffectScope?
  /// The scopes by the id of the row or of the identifiable child, if there were several scopes.
  private var several: [AnyHashable?: EffectScope] = [:]
  /// Any of the scopes.
  ///
  /// The group reads the stamp from it.
  private var sample: EffectScope?
  private var lastStamp: UInt64?
  /// The index in the runtime's list of groups.
  var position = 0

  var isEmpty: Bool { only == nil && several.isEmpty }

  func scope(_ row: AnyHashable?) -> EffectScope? {
    guard let only else { return several[row] }
    return only.row == row ? only : nil
  }

  fileprivate func forEach(_ body: (EffectScope) -> Void) {
    if let only { return body(only) }
    for scope in several.values { body(scope) }
  }

  fileprivate func insert(_ scope: EffectScope) {
    if isEmpty {
      sample = scope
      lastStamp = scope.siblingsStamp
      only = scope
      return
    }
    if let first = only.take() { several[first.row] = first }
    several[scope.row] = scope
  }

  fileprivate func remove(_ scope: EffectScope) {
    if only === scope { only = nil } else { several[scope.row] = nil }
  }

  /// Adds the scopes whose children were removed.
  ///
  /// Complexity: O(1) while the stamp stays the same; otherwise O(*n*) in the number of scopes.
  func collectGone(_ gone: inout [EffectScope]) {
    let stamp = sample?.siblingsStamp
    if let stamp, stamp == lastStamp { return }
    lastStamp = stamp
    forEach { if !$0.isPresent { gone.append($0) } }
  }
}
