/// Where the sends of running effects go: the runtime, or a child's place in its parent.
@MainActor
@usableFromInline
class EffectPort<State: Sendable, Action: Sendable> {
  @usableFromInline nonisolated init() {}

  /// The state at this moment.
  var current: State {
    preconditionFailure("\(Self.self) must override current")
  }

  /// Applies an update of an effect to the latest state, unless the effect was cancelled.
  func update(
    _ effect: Effect,
    _ transaction: UpdateTransaction?,
    _ update: @escaping ResolvedInteractor<State, Action>.Update
  ) {
    preconditionFailure("\(Self.self) must override update(_:_:_:)")
  }

  /// Applies a plain change of an effect, unless the effect was cancelled.
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

  /// Applies the elements of an effect's sequence, as a step each, and publishes once.
  func apply<Element>(
    _ elements: [Element], _ effect: Effect,
    _ update: @escaping @MainActor (inout State, Element) -> Void
  ) {
    effect.core.batch(effect) {
      for element in elements {
        change(effect, nil) { update(&$0, element) }
      }
    }
  }

  /// Handles an action of an effect, unless the effect was cancelled.
  func send(_ effect: Effect, _ transaction: UpdateTransaction?, _ action: Action) {
    preconditionFailure("\(Self.self) must override send(_:_:_:)")
  }
}
