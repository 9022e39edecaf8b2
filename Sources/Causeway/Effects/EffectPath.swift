/// Where in the tree of interactors an effect belongs, innermost scope first.
///
/// Each composition that a child's emission passes through on its way to the root appends its
/// scope, so equal ids in two children are two different effects.
@usableFromInline
typealias EffectPath = [EffectScope]

/// One composed child: which `scope`, `ifLet`, `ifCase` or `forEach` it is, and which row of it.
@usableFromInline
struct EffectScope: Hashable, Sendable {
  /// Stands for the place in the interactor tree; one for each resolved composition.
  @usableFromInline let node: ObjectIdentifier
  /// The row, where there are many.
  @usableFromInline var row: EffectID?

  @usableFromInline
  init(node: ObjectIdentifier, row: EffectID?) {
    self.node = node
    self.row = row
  }
}

/// What policies and cancelling go by: an id in its scope.
struct EffectKey: Hashable, Sendable {
  let path: EffectPath
  let id: EffectID
}
