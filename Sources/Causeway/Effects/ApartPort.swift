/// Where the sends of an effect go that has a scope of its own among those of one body.
final class ApartPort<State: Sendable, Action: Sendable>: EffectPort<State, Action> {
  nonisolated private let port: EffectPort<State, Action>
  nonisolated private let scope: EffectScope

  nonisolated init(_ port: EffectPort<State, Action>, _ scope: EffectScope) {
    self.port = port
    self.scope = scope
    super.init()
  }

  override var current: State {
    port.current
  }

  /// What follows from an update of a child is in the scope that the child's other effects are in.
  override func update(
    _ effect: Effect,
    _ transaction: UpdateTransaction?,
    _ update: @escaping ResolvedInteractor<State, Action>.Update
  ) {
    let scope = self.scope
    port.update(effect, transaction) { update($0).apart(scope) }
  }

  override func change(
    _ effect: Effect,
    _ transaction: UpdateTransaction?,
    _ change: @escaping @MainActor (inout State) -> Void
  ) {
    port.change(effect, transaction, change)
  }

  override func apply<Element>(
    _ elements: [Element],
    _ effect: Effect,
    _ update: @escaping @MainActor (inout State, Element) -> Void
  ) {
    port.apply(elements, effect, update)
  }

  override func send(_ effect: Effect, _ transaction: UpdateTransaction?, _ action: Action) {
    port.send(effect, transaction, action)
  }
}
