/// Where the sends of a running effect go: the runtime, or a child's place in its parent.
@MainActor
@usableFromInline
class EffectTarget<State: Sendable, Action: Sendable> {
  nonisolated init() {}

  /// The state at this moment.
  var current: State {
    preconditionFailure("\(Self.self) must override current")
  }

  /// Applies an update to the latest state, unless the effect was cancelled.
  func update(
    _ transaction: UpdateTransaction?, _ update: @escaping ResolvedInteractor<State, Action>.Update
  ) {
    preconditionFailure("\(Self.self) must override update(_:_:)")
  }

  /// Handles an action, unless the effect was cancelled.
  func send(_ transaction: UpdateTransaction?, _ action: Action) {
    preconditionFailure("\(Self.self) must override send(_:_:)")
  }

  /// Applies what `body` sends as steps of their own, with one publication after the last.
  func batch(_ body: () -> Void) {
    preconditionFailure("\(Self.self) must override batch(_:)")
  }
}
