/// The primitive interactor: an initial value and a handler.
public struct Interact<State: Sendable, Action: Sendable>: Interactor {
  /// Changes the state in place for an action and says which effects that starts.
  public typealias Handler = ResolvedInteractor<State, Action>.Handler

  @usableFromInline let initial: InitialValue<State>
  @usableFromInline let handler: Handler

  /// Makes an interactor from a handler.
  ///
  /// - Parameters:
  ///   - initialValue: The state to start with. Of several interactors in one body, the first
  ///     one's value counts.
  ///   - handler: Called on the main actor, once for each action; mutates the state in place.
  @inlinable
  public init(initialValue: State, handler: @escaping Handler) {
    self.initial = InitialValue(initialValue)
    self.handler = handler
  }

  /// The value and the handler as they are.
  @inlinable
  public func resolve() -> ResolvedInteractor<State, Action> {
    let handler = self.handler
    return ResolvedInteractor(initial: initial) { handler(&$0.pointee, $1) }
  }
}
