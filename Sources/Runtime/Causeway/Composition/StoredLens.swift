/// The lens of a child that always exists, with the handler that passes actions to the child.
///
/// A closure that captures a single object needs no allocation. The whole composition is therefore
/// one object.
@usableFromInline
final class StoredLens<
  ParentState: Sendable, ParentAction: Sendable, State: Sendable, Action: Sendable
>: ChildLens<ParentState, ParentAction, State, Action> {
  @usableFromInline let parent: ResolvedInteractor<ParentState, ParentAction>.PlacedHandler
  @usableFromInline let child: ResolvedInteractor<State, Action>
  @usableFromInline let part: StatePart<ParentState, State>
  @usableFromInline let extract: (ParentAction) -> Action?
  @usableFromInline let embedAction: @MainActor (Action) -> ParentAction

  @inlinable
  init(
    _ parent: @escaping ResolvedInteractor<ParentState, ParentAction>.PlacedHandler,
    _ child: ResolvedInteractor<State, Action>, _ part: StatePart<ParentState, State>,
    action extract: @escaping (ParentAction) -> Action?,
    embed: @escaping @MainActor (Action) -> ParentAction
  ) {
    self.parent = parent
    self.child = child
    self.part = part
    self.extract = extract
    embedAction = embed
    super.init(row: nil, canGo: false)
  }

  @inlinable
  func handle(
    _ state: UnsafeMutablePointer<ParentState>, _ action: ParentAction, _ values: ProvidedValues
  ) -> Emission<ParentState, ParentAction> {
    guard let childAction = extract(action) else { return parent(state, action, values) }
    let emission = part.modify(state) { child.handle($0, childAction, values) }
    let parentEmission = parent(state, action, values)
    if emission.node == nil { return parentEmission }
    return .both(emission.lifted(self), parentEmission)
  }

  @usableFromInline
  override var composition: ObjectIdentifier { ObjectIdentifier(self) }

  override var resolvedChild: ResolvedInteractor<State, Action> { child }

  override func look(
    _ parent: UnsafeMutablePointer<ParentState>, _ body: (UnsafeMutablePointer<State>) -> Void
  ) -> Bool {
    part.look(parent, body)
    return true
  }

  override func modify(
    _ parent: UnsafeMutablePointer<ParentState>, _ update: Update
  ) -> Emission<State, Action>? {
    part.modify(parent) { update($0) }
  }

  override func embed(_ action: Action) -> ParentAction {
    embedAction(action)
  }
}
