/// A place in the tree of interactors that effects belong to: the root, or a composed child.
///
/// Equal ids in two scopes are two different effects. A scope is linked into its parent while it
/// has members: effects, open throttling windows, sequences, and scopes with members. A linked
/// scope is found again for the next effect of the same child.
@MainActor
@usableFromInline
class EffectScope {
  @usableFromInline final let core: RuntimeCore
  final let parent: EffectScope?
  /// The composition that made the child; `nil` for the root.
  final let composition: CompositionSite?
  /// The id of the row or of the identifiable child.
  final let row: AnyHashable?
  /// Whether the child, or one that it is a part of, can go away.
  final let isConditional: Bool
  /// Whether the child went away.
  ///
  /// A later child with the same id has a scope of its own.
  private(set) final var isGone = false
  private final var memberCount = 0
  private final var isLinked = false
  private final var effects: [Effect] = []
  private final var windows: [EffectKey] = []
  private final var groups: [ObjectIdentifier: ScopeGroup] = [:]

  /// Makes a root.
  @usableFromInline
  init(core: RuntimeCore) {
    self.core = core
    parent = nil
    composition = nil
    row = nil
    isConditional = false
  }

  /// Makes the scope of a child, which is linked when it gets its first member.
  init(_ parent: EffectScope, _ composition: CompositionSite, row: AnyHashable?, canGo: Bool) {
    core = parent.core
    self.parent = parent
    self.composition = composition
    self.row = row
    isConditional = canGo || parent.isConditional
  }

  /// The scope that named effects belong to.
  var named: EffectScope { self }

  /// Whether the child is there.
  var isPresent: Bool { true }

  /// Differs whenever a child of the same composition in the same parent may have gone.
  ///
  /// `nil` where asking the children costs as little.
  var siblingsStamp: UInt64? { nil }

  /// Whether something of this scope may begin.
  final var admits: Bool { !isConditional || (!isGone && isPresent) }

  /// The linked scope of a child.
  final func child(_ composition: CompositionSite, _ row: AnyHashable?) -> EffectScope? {
    groups[ObjectIdentifier(composition)]?.scopes[row]
  }

  /// Counts a member, until ``end()``.
  final func begin() {
    var scope = self
    while true {
      scope.memberCount += 1
      guard scope.memberCount == 1, let parent = scope.parent else { return }
      parent.link(scope)
      scope = parent
    }
  }

  /// Takes back what ``begin()`` counted.
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
    // Nothing asks the root for its effects, which may be many.
    if !isConditional { return begin() }
    effect.scopePosition = effects.count
    effects.append(effect)
    begin()
  }

  /// Complexity: O(1).
  final func remove(_ effect: Effect) {
    if !isConditional { return end() }
    let last = effects.removeLast()
    if effect.scopePosition < effects.count {
      effects[effect.scopePosition] = last
      last.scopePosition = effect.scopePosition
    }
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
    group.scopes[child.row] = nil
    guard group.scopes.isEmpty else { return }
    groups[key] = nil
    if child.isConditional { core.effects.unwatch(group) }
  }

  /// Marks this scope and those in it as gone, and collects their effects and windows.
  final func leave(_ effects: inout [Effect], _ windows: inout [EffectKey]) {
    if isGone { return }
    isGone = true
    parent?.unlink(self)
    effects += self.effects
    windows += self.windows
    for group in groups.values {
      for scope in group.scopes.values {
        scope.leave(&effects, &windows)
      }
    }
  }
}

/// The linked scopes of one composition in one parent.
@MainActor
final class ScopeGroup {
  /// By the id of the row or of the identifiable child.
  fileprivate(set) var scopes: [AnyHashable?: EffectScope] = [:]
  /// Any of them, to ask for the stamp.
  private var sample: EffectScope?
  private var lastStamp: UInt64?
  /// The place in the runtime's list of groups.
  var position = 0

  fileprivate func insert(_ scope: EffectScope) {
    if scopes.isEmpty {
      sample = scope
      lastStamp = scope.siblingsStamp
    }
    scopes[scope.row] = scope
  }

  /// The scopes whose child has gone.
  ///
  /// Complexity: O(1) while the stamp stays the same; else O(*n*) in the number of scopes.
  func gone() -> [EffectScope] {
    let stamp = sample?.siblingsStamp
    if let stamp, stamp == lastStamp { return [] }
    lastStamp = stamp
    return scopes.values.filter { !$0.isPresent }
  }
}
