/// The start or end of an effect, or an operation of the effect in between.
@usableFromInline
package struct EffectEvent: Sendable {
  /// The kind of an event.
  package enum Kind: Sendable {
    case began, ended, cancelled
    /// The effect read the state.
    case readState
  }

  /// The kind of the event.
  package let kind: Kind
  /// The number of the effect in its runtime, from 1 on.
  package let number: Int
  /// The effect's id.
  package let id: EffectID
  /// The source location of the call that requested the effect.
  package let place: EffectPlace
  /// The number of steps before the event.
  package let step: Int
  /// The policy of an effect that began; `nil` for another event.
  package let policy: EffectPolicy?
  /// Whether an effect that began observes something outside of the feature.
  package let isObservation: Bool
  /// Whether an effect that ended has failed, so the sequences around it end too.
  package let isFailure: Bool
}
