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
