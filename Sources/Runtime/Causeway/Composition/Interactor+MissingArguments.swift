// Overloads for calls without a required argument, or with an argument of the wrong type. Without
// these overloads, the compiler cannot identify the wrong or missing closure, and names the
// parameter by its number or not at all.
extension Interactor {
  /// Not available: `embed:` is missing.
  @available(
    *, unavailable,
    message: "scope needs embed:, which makes an action from the child's: embed: Action.child"
  )
  public func scope<ChildState, ChildAction, Child: Interactor>(
    state part: WritableKeyPath<State, ChildState>,
    action extract: @escaping (Action) -> ChildAction?,
    @InteractorBuilder<ChildState, ChildAction> _ child: () -> Child
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: `action:` is missing.
  @available(
    *, unavailable,
    message: "scope needs action:, which extracts the child's action: action: \\.child"
  )
  public func scope<ChildState, ChildAction, Child: Interactor<ChildState, ChildAction>>(
    state part: WritableKeyPath<State, ChildState>,
    embed: @escaping (ChildAction) -> Action,
    @InteractorBuilder<ChildState, ChildAction> _ child: () -> Child
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: the action has a case and no property of that name.
  ///
  /// With this overload, the compiler reports an error for the key path only.
  @available(
    *, unavailable,
    message: "action: needs a property of the action, which extracts the child's action"
  )
  @_disfavoredOverload
  public func scope<ChildState, ChildAction, Child: Interactor<ChildState, ChildAction>>(
    state part: WritableKeyPath<State, ChildState>,
    action extract: @escaping (Action) -> (ChildAction) -> Action,
    embed: @escaping (ChildAction) -> Action,
    @InteractorBuilder<ChildState, ChildAction> _ child: () -> Child
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: the action has a case and no property of that name.
  @available(
    *, unavailable,
    message: "action: needs a property of the action, which extracts the child's action"
  )
  @_disfavoredOverload
  public func ifLet<ChildState, ChildAction, Child: Interactor<ChildState, ChildAction>>(
    _ part: WritableKeyPath<State, ChildState?>,
    action extract: @escaping (Action) -> (ChildAction) -> Action,
    embed: @escaping (ChildAction) -> Action,
    @InteractorBuilder<ChildState, ChildAction> _ child: @escaping () -> Child
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: the part of the state is optional.
  @available(
    *, unavailable,
    message: "the child of scope always exists: use ifLet for an optional part of the state"
  )
  public func scope<ChildState, ChildAction, Child: Interactor<ChildState, ChildAction>>(
    state part: WritableKeyPath<State, ChildState?>,
    action extract: @escaping (Action) -> ChildAction?,
    embed: @escaping (ChildAction) -> Action,
    @InteractorBuilder<ChildState, ChildAction> _ child: () -> Child
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: the part of the state is not optional.
  @available(
    *, unavailable,
    message: """
      ifLet needs an optional part of the state: use scope for a child that always exists, and \
      ifCase for a case of an enum
      """
  )
  @_disfavoredOverload
  public func ifLet<Part, ChildAction, Child: Interactor>(
    _ part: KeyPath<State, Part>,
    action extract: @escaping (Action) -> ChildAction?,
    embed: @escaping (ChildAction) -> Action,
    _ child: @escaping () -> Child
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: `embed:` is missing.
  @available(
    *, unavailable,
    message: "ifLet needs embed:, which makes an action from the child's: embed: Action.child"
  )
  public func ifLet<ChildState, ChildAction, Child: Interactor>(
    _ part: WritableKeyPath<State, ChildState?>,
    action extract: @escaping (Action) -> ChildAction?,
    @InteractorBuilder<ChildState, ChildAction> _ child: @escaping () -> Child
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: `action:` is missing.
  @available(
    *, unavailable,
    message: "ifLet needs action:, which extracts the child's action: action: \\.child"
  )
  public func ifLet<ChildState, ChildAction, Child: Interactor<ChildState, ChildAction>>(
    _ part: WritableKeyPath<State, ChildState?>,
    embed: @escaping (ChildAction) -> Action,
    @InteractorBuilder<ChildState, ChildAction> _ child: @escaping () -> Child
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: `embed:` is missing.
  @available(
    *, unavailable,
    message:
      "forEach needs embed:, which makes an action from an id and the row's: embed: Action.row"
  )
  public func forEach<ID, RowState, RowAction, Row: Interactor>(
    _ part: WritableKeyPath<State, IdentifiedArray<ID, RowState>>,
    action extract: @escaping (Action) -> (ID, RowAction)?,
    @InteractorBuilder<RowState, RowAction> _ row: @escaping () -> Row
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: `action:` is missing.
  @available(
    *, unavailable,
    message: "forEach needs action:, which extracts the id and the row's action: action: \\.row"
  )
  public func forEach<ID, RowState, RowAction, Row: Interactor<RowState, RowAction>>(
    _ part: WritableKeyPath<State, IdentifiedArray<ID, RowState>>,
    embed: @escaping (ID, RowAction) -> Action,
    @InteractorBuilder<RowState, RowAction> _ row: @escaping () -> Row
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: `action:` has the wrong type.
  @available(
    *, unavailable,
    message: """
      action: must be the id of a row and the row's action, such as \
      var row: (Row.ID, Row.Action)? in the action
      """
  )
  @_disfavoredOverload
  public func forEach<ID, RowState, RowAction, Extracted, Row: Interactor>(
    _ part: WritableKeyPath<State, IdentifiedArray<ID, RowState>>,
    action extract: @escaping (Action) -> Extracted?,
    embed: @escaping (ID, RowAction) -> Action,
    @InteractorBuilder<RowState, RowAction> _ row: @escaping () -> Row
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: the second `embed:` is missing.
  @available(
    *, unavailable,
    message: "ifCase needs embed: after action: too, which makes an action from the child's"
  )
  public func ifCase<ChildState, ChildAction, Child: Interactor>(
    _ extractState: @escaping (State) -> ChildState?,
    embed embedState: @escaping (ChildState) -> State,
    action extractAction: @escaping (Action) -> ChildAction?,
    @InteractorBuilder<ChildState, ChildAction> _ child: @escaping () -> Child
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: the first `embed:` is missing.
  @available(
    *, unavailable,
    message: "ifCase needs embed: before action: too, which makes a state from the child's"
  )
  public func ifCase<ChildState, ChildAction, Child: Interactor<ChildState, ChildAction>>(
    _ extractState: @escaping (State) -> ChildState?,
    action extractAction: @escaping (Action) -> ChildAction?,
    embed embedAction: @escaping (ChildAction) -> Action,
    @InteractorBuilder<ChildState, ChildAction> _ child: @escaping () -> Child
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }
}
