extension Interactor {
  /// Adds a child that always exists.
  ///
  /// ```swift
  /// .scope(state: \.search, action: \.search, embed: Action.search) { SearchInteractor(api: api) }
  /// ```
  ///
  /// Two children handle the same action if both of their `action:` closures return an action. Each
  /// action is therefore passed to the closure of every child, even after one of them has matched.
  ///
  /// Complexity: O(*n*) for an action, in the number of children of this interactor.
  ///
  /// - Parameters:
  ///   - part: The child's state in the state of this interactor.
  ///   - extract: The child's action in an action of this interactor, or `nil`; usually a computed
  ///     property.
  ///   - embed: Makes an action of this interactor from a child's action; usually an enum case.
  ///   - child: The child. It handles an action before this interactor does.
  ///   - fileID: The file of the call, for reports of misuse; leave it to the compiler.
  ///   - line: The line of the call.
  @inlinable
  public func scope<ChildState, ChildAction, Child: Interactor<ChildState, ChildAction>>(
    state part: WritableKeyPath<State, ChildState>,
    action extract: @escaping (Action) -> ChildAction?,
    embed: @escaping @MainActor (ChildAction) -> Action,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @InteractorBuilder<ChildState, ChildAction> _ child: () -> Child
  ) -> ResolvedInteractor<State, Action> {
    let parent = resolve()
    let lens = StoredLens(
      parent.handle, child().resolve(), StatePart(part), action: extract, embed: embed)
    return parent.wrapped { lens.handle($0, $1, $2) }
  }
}

/// The lens of a child that always exists, with the handler that passes actions to the child.
///
/// A closure that captures a single object has no memory of its own, so the whole composition is
/// this object.
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

  override var composition: ObjectIdentifier { ObjectIdentifier(self) }

  override var resolvedChild: ResolvedInteractor<State, Action> { child }

  override func value(in parent: ParentState) -> State? {
    part.read(parent)
  }

  override func look(
    _ parent: UnsafeMutablePointer<ParentState>, _ body: (UnsafeMutablePointer<State>) -> UInt64?
  ) -> UInt64? {
    part.look(parent, body)
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

extension ResolvedInteractor {
  /// Returns the same interactor with a handler that wraps its own handler.
  @inlinable
  func wrapped(_ handle: @escaping PlacedHandler) -> ResolvedInteractor {
    ResolvedInteractor(initial: initial, updater: updater, handle: handle)
  }
}
