/// Derives the state of a view from the state of a feature.
///
/// Isolation: the main actor. A view model calls it once for each outermost `send`, regardless of
/// the number of actions that the `send` handles.
@MainActor
public protocol ViewStateReducer<DomainState, ViewState> {
  /// The state of the interactor.
  associatedtype DomainState
  /// The state of the view.
  associatedtype ViewState

  /// Returns the view state for a domain state.
  func reduce(_ domainState: DomainState) -> ViewState
}
