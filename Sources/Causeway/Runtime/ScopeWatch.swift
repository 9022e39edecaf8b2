/// The children that can go away and that have effects, so that those end with their child.
///
/// Compositions are looked at only while one of their children has an effect, and their children
/// only when the composition's stamp has changed, or when it has none.
struct ScopeWatch {
  private struct Composition {
    let stamp: @MainActor () -> UInt64?
    var lastStamp: UInt64?
    var children: [EffectPath: Child] = [:]
  }

  private struct Child {
    let isPresent: @MainActor () -> Bool
    var effects: Set<Effect> = []
  }

  private var compositions: [EffectPath: Composition] = [:]

  var isEmpty: Bool { compositions.isEmpty }

  /// Adds an effect.
  ///
  /// Returns false, and adds nothing, when its child is gone already.
  @MainActor
  mutating func insert(_ effect: Effect) -> Bool {
    let presences = effect.presences
    guard presences.allSatisfy({ $0.isPresent(()) }) else { return false }
    for presence in presences {
      let (composition, child) = effect.paths(presence)
      compositions[
        composition,
        default: Composition(stamp: { presence.stamp(()) }, lastStamp: presence.stamp(()))
      ].children[child, default: Child(isPresent: { presence.isPresent(()) })].effects.insert(
        effect)
    }
    return true
  }

  @MainActor
  mutating func remove(_ effect: Effect) {
    for presence in effect.presences {
      let (composition, child) = effect.paths(presence)
      compositions[composition]?.children[child]?.effects.remove(effect)
      if compositions[composition]?.children[child]?.effects.isEmpty == true {
        compositions[composition]?.children[child] = nil
        if compositions[composition]?.children.isEmpty == true {
          compositions[composition] = nil
        }
      }
    }
  }

  /// The effects whose child is gone, in the order in which they were asked for.
  ///
  /// Complexity: O(1) for each composition, of which every row with children of its own counts as
  /// one while they have effects; O(*n*) in the children with effects of one that has changed.
  @MainActor
  mutating func orphans() -> [Effect] {
    var orphans: [Effect] = []
    for (path, composition) in compositions {
      let stamp = composition.stamp()
      if let stamp, stamp == composition.lastStamp { continue }
      compositions[path]?.lastStamp = stamp
      for child in composition.children.values where !child.isPresent() {
        orphans += child.effects
      }
    }
    return orphans.sorted { $0.number < $1.number }
  }
}

extension Effect {
  /// The paths of the composition and of the child in it that a presence is about.
  fileprivate func paths(_ presence: ScopePresence<Void>) -> (EffectPath, EffectPath) {
    let child = Array(identity.path[presence.depth...])
    var composition = child
    composition[0].row = nil
    return (composition, child)
  }
}
