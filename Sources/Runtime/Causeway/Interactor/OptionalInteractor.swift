/// An interactor that may be missing.
///
/// The builder makes it for an `if` without an `else`.
public struct OptionalInteractor<Wrapped: Interactor>: Interactor {
  /// The state of the interactor.
  public typealias State = Wrapped.State
  /// The actions of the interactor.
  public typealias Action = Wrapped.Action

  private let wrapped: Wrapped?

  @usableFromInline
  init(_ wrapped: Wrapped?) {
    self.wrapped = wrapped
  }

  /// Resolves the interactor, or an empty one that does nothing.
  public func resolve() -> ResolvedInteractor<State, Action> {
    wrapped?.resolve() ?? .inert
  }
}
