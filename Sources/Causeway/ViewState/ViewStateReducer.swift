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

/// The primitive view state reducer: a closure.
public struct BuildViewState<DomainState, ViewState>: ViewStateReducer {
  private let build: @MainActor (DomainState) -> ViewState

  /// Makes a reducer from a closure.
  ///
  /// The closure is called on the main actor.
  public init(_ build: @escaping @MainActor (DomainState) -> ViewState) {
    self.build = build
  }

  /// Calls the closure.
  public func reduce(_ domainState: DomainState) -> ViewState {
    build(domainState)
  }
}
