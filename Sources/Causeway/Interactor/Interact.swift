/// The primitive interactor: an initial value and a handler.
public struct Interact<State: Sendable, Action: Sendable>: Interactor {
  /// Changes the state in place for an action and says which effects that starts.
  public typealias Handler = ResolvedInteractor<State, Action>.Handler

  @usableFromInline let initialValue: State
  @usableFromInline let handler: Handler

  /// Makes an interactor from a handler.
  ///
  /// - Parameters:
  ///   - initialValue: The state to start with. Of several interactors in one body, the first
  ///     one's value counts.
  ///   - handler: Called on the main actor, once for each action; mutates the state in place.
  @inlinable
  public init(initialValue: State, handler: @escaping Handler) {
    self.initialValue = initialValue
    self.handler = handler
  }

  /// The value and the handler as they are.
  @inlinable
  public func resolve() -> ResolvedInteractor<State, Action> {
    ResolvedInteractor(initialValue: initialValue, handler: handler)
  }
}
