/// The primitive interactor: an initial value and a handler.
public struct Interact<State: Sendable, Action: Sendable>: Interactor {
  /// Changes the state in place for an action, and returns the effects to start.
  public typealias Handler = ResolvedInteractor<State, Action>.Handler

  @usableFromInline let content: InteractContent<State, Action>

  /// Makes an interactor from a handler.
  ///
  /// - Parameters:
  ///   - initialValue: The state to start with. If a body has several interactors, the value of the
  ///     first one is used.
  ///   - handler: Called on the main actor once for each action. It mutates the state in place.
  @inlinable
  public init(initialValue: State, handler: @escaping Handler) {
    content = InteractContent(initialValue, handler)
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

  /// Not available: the initial value is missing.
  @available(
    *, unavailable,
    message: "Interact needs the state to start with: Interact(initialValue: State()) { … }"
  )
  @_disfavoredOverload
  public init(_ handler: @escaping Handler) {
    preconditionFailure("The initial value is missing.")
  }

  /// Returns the initial value and the handler unchanged.
  @inlinable
  public func resolve() -> ResolvedInteractor<State, Action> {
    let content = self.content
    return ResolvedInteractor(initial: content) { state, action, _ in
      content.handler(&state.pointee, action)
    }
  }
}

/// The initial value and the handler of an ``Interact``.
///
/// A closure that captures a single object has no memory of its own. The resolved handler captures
/// only this object.
@usableFromInline
final class InteractContent<State: Sendable, Action: Sendable>: InitialValue<State> {
  @usableFromInline let handler: Interact<State, Action>.Handler

  @inlinable
  init(_ value: State, _ handler: @escaping Interact<State, Action>.Handler) {
    self.handler = handler
    super.init(value)
  }
}
