extension ViewModel {
  /// Returns a view model for the view of a screen; `nil` if the screen is not in the path.
  ///
  /// ```swift
  /// let screen = model.screen(\.path, id: id, action: Action.path)
  /// let pier = screen?.scope(state: \.pier, action: ScreenAction.pier)
  /// ```
  ///
  /// After the screen was removed, its view model returns the screen as it was when the view model
  /// was made. A call observes whether the screen exists.
  ///
  /// Complexity: O(1) in the number of screens.
  ///
  /// - Parameters:
  ///   - path: The path in the view state of this view model.
  ///   - id: The id of the screen in the path.
  ///   - embed: Makes an action of this view model from a path's action; usually an enum case.
  public func screen<Screen, ScreenAction>(
    _ path: KeyPath<ViewState, ScreenPath<Screen>>,
    id: ScreenID<Screen.ID>,
    action embed: @escaping @MainActor (PathAction<Screen, ScreenAction>) -> Action
  ) -> ViewModel<Screen, ScreenAction>? {
    let entry: ViewModel<ScreenPath<Screen>.Entry, ScreenAction>? = scope(
      state: path.appending(path: \.storage), id: id, action: { embed(.screen($0, $1)) })
    return entry?.scope(state: \.screen, action: { $0 })
  }

  /// The ids of the screens in a path, from bottom to top.
  ///
  /// A view that calls this observes pushes and pops. Changes inside a screen do not invalidate it.
  ///
  /// Complexity: O(*n*) in the number of screens.
  ///
  /// - Parameter path: The path in the view state of this view model.
  public func screenIDs<Screen>(
    _ path: KeyPath<ViewState, ScreenPath<Screen>>
  ) -> [ScreenID<Screen.ID>] {
    source.arrangement(path.appending(path: \.storage)).ids
  }
}
