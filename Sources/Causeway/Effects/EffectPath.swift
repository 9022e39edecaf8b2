/// Where in the tree of interactors an effect belongs, innermost scope first.
///
/// Each composition that a child's emission passes through on its way to the root appends its
/// scope, so equal ids in two children are two different effects.
@usableFromInline
typealias EffectPath = [EffectScope]

/// One composed child: which `scope`, `ifLet`, `ifCase` or `forEach` it is, and which row of it.
@usableFromInline
struct EffectScope: Hashable, Sendable {
  @usableFromInline let site: CompositionSite
  /// The row, where there are many.
  @usableFromInline var row: EffectID?

  @usableFromInline
  init(site: CompositionSite, row: EffectID?) {
    self.site = site
    self.row = row
  }

  @usableFromInline
  static func == (left: EffectScope, right: EffectScope) -> Bool {
    left.site === right.site && left.row == right.row
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(site))
    hasher.combine(row)
  }
}
