// Further overloads like those in Interactor+MissingArguments.swift, for calls in which both
// closures are missing, or the child is missing.
extension Interactor {
  /// Not available: `action:` and `embed:` are missing.
  @available(
    *, unavailable,
    message: "scope needs action: and embed:, such as action: \\.child, embed: Action.child"
  )
  public func scope<ChildState, Child: Interactor>(
    state part: WritableKeyPath<State, ChildState>, _ child: () -> Child
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: the child is missing.
  @available(*, unavailable, message: "scope needs a closure that makes the child: { Child() }")
  public func scope<ChildState, ChildAction>(
    state part: WritableKeyPath<State, ChildState>,
    action extract: @escaping (Action) -> ChildAction?,
    embed: @escaping (ChildAction) -> Action
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: `action:` and `embed:` are missing.
  @available(
    *, unavailable,
    message: "ifLet needs action: and embed:, such as action: \\.child, embed: Action.child"
  )
  public func ifLet<ChildState, Child: Interactor>(
    _ part: WritableKeyPath<State, ChildState?>, _ child: @escaping () -> Child
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: the child is missing.
  @available(*, unavailable, message: "ifLet needs a closure that makes the child: { Child() }")
  public func ifLet<ChildState, ChildAction>(
    _ part: WritableKeyPath<State, ChildState?>,
    action extract: @escaping (Action) -> ChildAction?,
    embed: @escaping (ChildAction) -> Action
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: `action:` and `embed:` are missing.
  @available(
    *, unavailable,
    message: "forEach needs action: and embed:, such as action: \\.row, embed: Action.row"
  )
  public func forEach<ID, RowState, Row: Interactor>(
    _ part: WritableKeyPath<State, IdentifiedArray<ID, RowState>>, _ row: @escaping () -> Row
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: the child is missing.
  @available(*, unavailable, message: "forEach needs a closure that makes the child: { Row() }")
  public func forEach<ID, RowState, RowAction>(
    _ part: WritableKeyPath<State, IdentifiedArray<ID, RowState>>,
    action extract: @escaping (Action) -> (ID, RowAction)?,
    embed: @escaping (ID, RowAction) -> Action
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }
}

// Overloads for calls whose `embed:` is a property of the action, like `action:`.
extension Interactor {
  /// Not available: `embed:` has the wrong direction.
  @available(
    *, unavailable,
    message: """
      embed: makes an action from the child's, usually by the enum case: embed: Action.child
      """
  )
  @_disfavoredOverload
  public func scope<ChildState, ChildAction, Child: Interactor>(
    state part: WritableKeyPath<State, ChildState>,
    action extract: @escaping (Action) -> ChildAction?,
    embed: KeyPath<Action, ChildAction?>,
    @InteractorBuilder<ChildState, ChildAction> _ child: () -> Child
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: `embed:` has the wrong direction.
  @available(
    *, unavailable,
    message: """
      embed: makes an action from the child's, usually by the enum case: embed: Action.child
      """
  )
  @_disfavoredOverload
  public func ifLet<ChildState, ChildAction, Child: Interactor>(
    _ part: WritableKeyPath<State, ChildState?>,
    action extract: @escaping (Action) -> ChildAction?,
    embed: KeyPath<Action, ChildAction?>,
    @InteractorBuilder<ChildState, ChildAction> _ child: @escaping () -> Child
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: `embed:` has the wrong direction.
  @available(
    *, unavailable,
    message: """
      embed: makes an action from an id and the row's, usually by the enum case: \
      embed: Action.row
      """
  )
  @_disfavoredOverload
  public func forEach<ID, RowState, RowAction, Row: Interactor>(
    _ part: WritableKeyPath<State, IdentifiedArray<ID, RowState>>,
    action extract: @escaping (Action) -> (ID, RowAction)?,
    embed: KeyPath<Action, (ID, RowAction)?>,
    @InteractorBuilder<RowState, RowAction> _ row: @escaping () -> Row
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }
}
