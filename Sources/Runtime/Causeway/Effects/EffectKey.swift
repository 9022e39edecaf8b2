/// The key for policies and cancellation: an id in its scope.
struct EffectKey: Hashable, Sendable {
  /// Identifies a scope, which is linked and thus alive while it has an effect or an open window.
  let scope: ObjectIdentifier
  let id: EffectID
}
