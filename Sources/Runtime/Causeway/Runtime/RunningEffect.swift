/// An effect that has not ended.
package struct RunningEffect: Sendable {
  /// The number of the effect in its runtime, from 1 on.
  package let number: Int
  /// The effect's id.
  package let id: EffectID
  /// The source location of the call that requested the effect.
  package let place: EffectPlace
  /// Whether the effect has started; false while it waits.
  package let isStarted: Bool
  /// Whether the effect is an observation, or an observation has started it.
  package let isObservation: Bool
}
