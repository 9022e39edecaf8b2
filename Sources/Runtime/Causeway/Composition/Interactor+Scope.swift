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
  @inlinable
  public func scope<ChildState, ChildAction, Child: Interactor<ChildState, ChildAction>>(
    state part: WritableKeyPath<State, ChildState>,
    action extract: @escaping (Action) -> ChildAction?,
    embed: @escaping (ChildAction) -> Action,
    @InteractorBuilder<ChildState, ChildAction> _ child: () -> Child
  ) -> ResolvedInteractor<State, Action> {
    let parent = resolve()
    let part = StatePart(part)
    let child = child().resolve()
    let lens = StoredLens(
      parent.handle, child, part, action: extract, embed: { embed($0) })
    return parent.wrapped(exchange: SharedExchange.scope(part, child)) { lens.handle($0, $1, $2) }
  }
}
