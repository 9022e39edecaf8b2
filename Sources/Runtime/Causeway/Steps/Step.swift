/// One change of a feature's state, as a step observer receives it.
///
/// The states are copies that share storage with the runtime's state. A step observer costs a copy
/// of the values that it stores. Without a step observer, no state is copied.
public struct Step<State: Sendable, Action: Sendable>: Sendable {
  /// The cause of a change.
  public enum Cause: Sendable {
    /// An action.
    ///
    /// An effect sent it if `effect` is not `nil`. Otherwise a caller of the view model sent it, or
    /// a handler returned it. The ``Step/origin`` of an action from outside is the number of its
    /// own step.
    case action(Action, effect: EffectID?)
    /// An update that an effect sent.
    case update(effect: EffectID)
    /// An error that an effect threw and that its `catch:` turned into a state change.
    case failure(effect: EffectID)
  }

  /// The number of the step, from 1 on.
  public let number: Int
  /// The cause of the change.
  public let cause: Cause
  /// The number of the effect in its runtime, from 1 on.
  ///
  /// It distinguishes effects with the same id.
  package let effectNumber: Int?
  /// The number of the step whose action from outside caused this step, directly or indirectly.
  public let origin: Int
  /// The state before the step.
  public let before: State
  /// The state after the step.
  public let after: State
}

/// A step without copies of the state, for an observer that copies only the necessary values.
@usableFromInline
package struct BriefStep<State: Sendable, Action: Sendable> {
  /// The number of the step, from 1 on.
  package let number: Int
  /// The cause of the change.
  package let cause: Step<State, Action>.Cause
  /// The number of the effect in its runtime, from 1 on.
  package let effectNumber: Int?
  /// The number of the step whose action from outside caused this step.
  package let origin: Int
  /// The state after the step; valid during the call.
  package let state: UnsafePointer<State>
  /// Repeats the change on another state.
  package let change: StepObserver<State, Action>.StateChange
}
