extension ViewModel {
  /// Returns a view model for the view of a screen; `nil` if the screen is not in the path.
  ///
  /// ```swift
  /// let screen = model.screen(\.path, id: id, action: Action.path)
  /// let pier = screen?.scope(state: \.pier, action: ScreenAction.pier)
  /// ```
  ///
  /// After the screen was removed, its view model returns the values that it returned last, and its
  /// actions are dropped, even if a screen with the same id was pushed meanwhile. A call observes
  /// whether the screen exists.
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
    action embed: @escaping (PathAction<Screen, ScreenAction>) -> Action
  ) -> ViewModel<Screen, ScreenAction>? {
    let entry = source.child(path.appending(path: \.storage), id: id, birth: { $0.birth })
    return entry.map { removable($0.child(\.screen)) { embed(.screen(id, $0)) } }
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
    source.rowIDs(path.appending(path: \.storage))
  }
}
