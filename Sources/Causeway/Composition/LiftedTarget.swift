/// Where the sends of a child's effect go: to the child's place in its parent.
final class LiftedTarget<
  ParentState: Sendable, ParentAction: Sendable, State: Sendable, Action: Sendable
>: EffectTarget<State, Action> {
  nonisolated private let parent: EffectTarget<ParentState, ParentAction>
  nonisolated private let lens: ChildLens<ParentState, ParentAction, State, Action>

  nonisolated init(
    parent: EffectTarget<ParentState, ParentAction>,
    lens: ChildLens<ParentState, ParentAction, State, Action>
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
    _ transaction: UpdateTransaction?, _ update: @escaping ResolvedInteractor<State, Action>.Update
  ) {
    let lens = self.lens
    parent.update(transaction) { lens.apply(update, to: $0) }
  }

  override func send(_ transaction: UpdateTransaction?, _ action: Action) {
    parent.send(transaction, lens.embed(action))
  }

  override func batch(_ body: () -> Void) {
    parent.batch(body)
  }
}
