/// The primitive interactor: a handler, usually with an initial value.
///
/// A feature whose parent always makes its state, such as a sheet, a row or a screen, needs no
/// initial value:
///
/// ```swift
/// struct Row: Interactor {
///   struct State: Identifiable { let id: Int; var isDone = false }
///   enum Action { case toggle }
///
///   var body: some InteractorOf<Self> {
///     Interact { state, action in
///       state.isDone.toggle()
///       return .state
///     }
///   }
/// }
/// ```
///
/// A view model or a test of such a feature alone is made with `initialState:`. Without it, the
/// program stops with a message that names the state.
public struct Interact<State: Sendable, Action: Sendable>: Interactor {
  /// Changes the state in place for an action, and returns the effects to start.
  public typealias Handler = ResolvedInteractor<State, Action>.Handler

  @usableFromInline let handler: Handler
  /// `nil` if the parent makes the state.
  @usableFromInline let content: InteractContent<State, Action>?

  /// Makes an interactor from a handler.
  ///
  /// - Parameters:
  ///   - initialValue: The state to start with. If a body has several interactors, the value of the
  ///     first one is used.
  ///   - handler: Called on the main actor once for each action. It mutates the state in place.
  @inlinable
  public init(initialValue: State, handler: @escaping Handler) {
    self.handler = handler
    content = InteractContent(initialValue, handler)
  }

  /// Makes an interactor from a handler, for a state that its parent makes.
  ///
  /// - Parameter handler: Called on the main actor once for each action. It mutates the state in
  ///   place.
  @inlinable
  public init(_ handler: @escaping Handler) {
    self.handler = handler
    content = nil
  }

  /// Makes an interactor that handles no action, as the base for modifiers.
  ///
  /// - Parameter initialValue: The state to start with.
  public init(initialValue: State) {
    self.init(initialValue: initialValue) { _, _ in .state }
  }

  /// Makes an interactor that handles no action, as the base for modifiers, for a state that its
  /// parent makes.
  ///
  /// ```swift
  /// Interact<Screen, ScreenAction>()
  ///   .ifCase(\.piers, embed: Screen.piers, action: \.piers, embed: ScreenAction.piers) { Piers() }
  /// ```
  public init() {
    self.init { _, _ in .state }
  }

  /// Returns the initial value and the handler unchanged.
  @inlinable
  public func resolve() -> ResolvedInteractor<State, Action> {
    guard let content else {
      let handler = self.handler
      return ResolvedInteractor(initial: nil) { state, action, _ in
        handler(&state.pointee, action)
      }
    }
    return ResolvedInteractor(initial: content) { state, action, _ in
      content.handler(&state.pointee, action)
    }
  }
}

/// The initial value and the handler of an ``Interact``.
///
/// A closure that captures a single object needs no allocation. The resolved handler captures only
/// this object.
@usableFromInline
final class InteractContent<State: Sendable, Action: Sendable>: InitialValue<State> {
  @usableFromInline let handler: Interact<State, Action>.Handler

  @inlinable
  init(_ value: State, _ handler: @escaping Interact<State, Action>.Handler) {
    self.handler = handler
    super.init(value)
  }
}
