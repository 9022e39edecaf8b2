/// One change of a feature's state, as a step observer sees it.
///
/// The states are copies that share their storage with the runtime's state. A step observer costs
/// a copy of what it keeps; without one no state is copied.
public struct Step<State: Sendable, Action: Sendable>: Sendable {
  /// What changed the state.
  public enum Cause: Sendable {
    /// An action; from an effect, or if `effect` is `nil` from outside or fed back by a handler, of
    /// which the first is its own ``Step/origin``.
    case action(Action, effect: EffectID?)
    /// An update that an effect sent.
    case update(effect: EffectID)
    /// An error that an effect threw, turned into state by its `catch:`.
    case failure(effect: EffectID)
  }

  /// The number of the step, from 1 on.
  public let number: Int
  /// What changed the state.
  public let cause: Cause
  /// Tells effects with the same id apart: counts the effects of a runtime, from 1 on.
  package let effectNumber: Int?
  /// The step of the action from outside that started all this; its own number for that action.
  public let origin: Int
  /// The state before the step.
  public let before: State
  /// The state after the step.
  public let after: State
}

/// Sees every step of a view model: for logging, recording and inspecting.
///
/// Isolation: called on the main actor, after the step and before the next.
public struct StepObserver<State: Sendable, Action: Sendable> {
  package let observe: @MainActor (Step<State, Action>) -> Void
  /// Sees the beginning and the end of every effect.
  package let observeEffect: (@MainActor (EffectEvent) -> Void)?

  /// Makes an observer from a closure.
  public init(_ observe: @escaping @MainActor (Step<State, Action>) -> Void) {
    self.observe = observe
    self.observeEffect = nil
  }

  /// Makes an observer of the steps and of the effects between them.
  package init(
    _ observe: @escaping @MainActor (Step<State, Action>) -> Void,
    effects: @escaping @MainActor (EffectEvent) -> Void
  ) {
    self.observe = observe
    self.observeEffect = effects
  }
}
