/// What policies and cancelling go by: an id in its scope.
struct EffectKey: Hashable, Sendable {
  /// A scope is linked, and so alive, while it has an effect or an open window.
  let scope: ObjectIdentifier
  let id: EffectID
}
