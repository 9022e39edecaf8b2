/// Carries out emissions and receives the sends of their effects.
///
/// A port belongs to the runtime or to a child in its parent.
@usableFromInline
class EffectPort<State: Sendable, Action: Sendable>: EffectScope {
  @usableFromInline typealias Update = Emission<State, Action>.Update

  /// The current state; `nil` after the removal of a child whose interactor has no initial value.
  var current: State? {
    preconditionFailure("\(Self.self) must override current")
  }

  /// Whether ``current`` may be `nil`.
  var canLackState: Bool { false }

  /// Calls `body` with the address of the state.
  ///
  /// Returns false without calling `body` while there is no child.
  func look(_ body: (UnsafeMutablePointer<State>) -> Void) -> Bool {
    preconditionFailure("\(Self.self) must override look(_:)")
  }

  /// Applies an update of an effect to the latest state.
  func update(
    _ effect: Effect, _ transaction: UpdateTransaction?, isFailure: Bool = false,
    _ update: @escaping Update
  ) {
    preconditionFailure("\(Self.self) must override update(_:_:isFailure:_:)")
  }

  /// Applies a change of an effect.
  ///
  /// A change returns no emission.
  func change(
    _ effect: Effect,
    _ transaction: UpdateTransaction?,
    _ change: @escaping @MainActor (inout State) -> Void
  ) {
    update(effect, transaction) {
      change(&$0.pointee)
      return .state
    }
  }

  /// Applies each element of an effect's sequence as one step, and publishes once.
  func apply<Element>(
    _ elements: [Element], _ effect: Effect,
    _ update: @escaping @MainActor (inout State, Element) -> Void
  ) {
    core.batch(effect) {
      for element in elements {
        if effect.isCancelled { return }
        change(effect, nil) { update(&$0, element) }
      }
    }
  }

  /// Handles an action that an effect sent.
  func send(_ effect: Effect, _ transaction: UpdateTransaction?, _ action: Action) {
    preconditionFailure("\(Self.self) must override send(_:_:_:)")
  }

  /// Removes the child of an effect, or the nearest ancestor that can be removed.
  ///
  /// Returns false and does nothing if there is no such child.
  func dismiss(_ effect: Effect, _ transaction: UpdateTransaction?) -> Bool { false }

  /// Queues an action that a handler in a scope has returned.
  func enqueue(_ action: Action, _ cascade: Cascade, from scope: EffectScope) {
    preconditionFailure("\(Self.self) must override enqueue(_:_:from:)")
  }
}
