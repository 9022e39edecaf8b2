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

  /// Handles an action of an effect, unless the effect was cancelled.
  func send(_ effect: Effect, _ transaction: UpdateTransaction?, _ action: Action) {
    preconditionFailure("\(Self.self) must override send(_:_:_:)")
  }
}
