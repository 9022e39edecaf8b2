/// Where the sends of a child's effects go: to the child's place in its parent.
final class LiftedPort<
  ParentState: Sendable, ParentAction: Sendable, State: Sendable, Action: Sendable
>: EffectPort<State, Action> {
  nonisolated private let parent: EffectPort<ParentState, ParentAction>
  nonisolated private let lens: ChildLens<ParentState, ParentAction, State, Action>

  nonisolated init(
    _ parent: EffectPort<ParentState, ParentAction>,
    _ lens: ChildLens<ParentState, ParentAction, State, Action>
  ) {
    self.parent = parent
    self.lens = lens
    super.init()
  }

  /// The child's state; its interactor's initial value when it is gone, and its effect cancelled.
  override var current: State {
    lens.read(parent.current) ?? lens.child.initialValue
  }

  override func update(
    _ effect: Effect,
    _ transaction: UpdateTransaction?,
    _ update: @escaping ResolvedInteractor<State, Action>.Update
  ) {
    let lens = self.lens
    parent.update(effect, transaction) { lens.apply(update, to: $0) }
  }

  override func send(_ effect: Effect, _ transaction: UpdateTransaction?, _ action: Action) {
    parent.send(effect, transaction, lens.embed(action))
  }
}
