extension Interactor {
  /// Not available: `embed:` is missing.
  @available(
    *, unavailable,
    message: "screens needs embed:, which makes an action from the path's: embed: Action.path"
  )
  public func screens<Screen, ScreenAction, Child: Interactor>(
    _ path: WritableKeyPath<State, ScreenPath<Screen>>,
    action extract: @escaping (Action) -> PathAction<Screen, ScreenAction>?,
    @InteractorBuilder<Screen, ScreenAction> _ screen: @escaping () -> Child
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: `action:` has the wrong type.
  @available(
    *, unavailable,
    message: """
      action: must be the action of the path, such as \
      var path: PathAction<Screen, ScreenAction>? in the action
      """
  )
  @_disfavoredOverload
  public func screens<Screen, ScreenAction, Extracted, Child: Interactor>(
    _ path: WritableKeyPath<State, ScreenPath<Screen>>,
    action extract: @escaping (Action) -> Extracted?,
    embed: @escaping (PathAction<Screen, ScreenAction>) -> Action,
    @InteractorBuilder<Screen, ScreenAction> _ screen: @escaping () -> Child
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: `action:` and `embed:` are missing.
  @available(
    *, unavailable,
    message: "screens needs action: and embed:, such as action: \\.path, embed: Action.path"
  )
  public func screens<Screen, Child: Interactor>(
    _ path: WritableKeyPath<State, ScreenPath<Screen>>, _ screen: @escaping () -> Child
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }

  /// Not available: the child is missing.
  @available(*, unavailable, message: "screens needs a closure that makes the child: { Screens() }")
  public func screens<Screen, ScreenAction>(
    _ path: WritableKeyPath<State, ScreenPath<Screen>>,
    action extract: @escaping (Action) -> PathAction<Screen, ScreenAction>?,
    embed: @escaping (PathAction<Screen, ScreenAction>) -> Action
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }
}
