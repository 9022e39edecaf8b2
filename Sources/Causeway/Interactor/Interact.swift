/// The primitive interactor: an initial value and a handler.
public struct Interact<State: Sendable, Action: Sendable>: Interactor {
  /// Changes the state in place for an action, and returns the effects to start.
  public typealias Handler = ResolvedInteractor<State, Action>.Handler

  @usableFromInline let initial: InitialValue<State>
  @usableFromInline let handler: Handler

  /// Makes an interactor from a handler.
  ///
  /// - Parameters:
  ///   - initialValue: The state to start with. If a body has several interactors, the value of the
  ///     first one is used.
  ///   - handler: Called on the main actor once for each action. It mutates the state in place.
  @inlinable
  public init(initialValue: State, handler: @escaping Handler) {
    self.initial = InitialValue(initialValue)
    self.handler = handler
  }

  /// Makes an interactor that handles no action, as the base for modifiers.
  ///
  /// ```swift
  /// Interact<Screen, ScreenAction>(initialValue: .piers(Piers.State()))
  ///   .ifCase(\.piers, embed: Screen.piers, action: \.piers, embed: ScreenAction.piers) { Piers() }
  /// ```
  ///
  /// - Parameter initialValue: The state to start with.
  public init(initialValue: State) {
    self.init(initialValue: initialValue) { _, _ in .state }
  }

  /// Returns the initial value and the handler unchanged.
  @inlinable
  public func resolve() -> ResolvedInteractor<State, Action> {
    let handler = self.handler
    return ResolvedInteractor(initial: initial) { state, action, _ in
      handler(&state.pointee, action)
    }
  }
}
