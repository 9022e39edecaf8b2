/// An interactor tree flattened into an initial value and one handler.
///
/// It holds no mutable state: keys, timers and tasks belong to the runtime that runs it.
public struct ResolvedInteractor<State: Sendable, Action: Sendable> {
  /// Changes the state in place for an action and says which effects that starts.
  public typealias Handler = @MainActor (inout State, Action) -> Emission<State, Action>

  /// The state that a view model starts with, unless it is given another one.
  public let initialValue: State
  @usableFromInline let handler: Handler

  /// Makes a resolved interactor; a primitive returns this from ``Interactor/resolve()``.
  ///
  /// - Parameters:
  ///   - initialValue: The state to start with.
  ///   - handler: Called on the main actor, once for each action.
  @inlinable
  public init(initialValue: State, handler: @escaping Handler) {
    self.initialValue = initialValue
    self.handler = handler
  }
}
