public import Causeway

extension Interactor {
  /// Handles an action without starting effects, and returns the emission of the handlers.
  ///
  /// ```swift
  /// var state = Search.State()
  /// #expect(Search().emission(for: .clear, on: &state) == .cancel("search"))
  /// ```
  ///
  /// Use it to test a handler alone. A ``TestModel`` also runs the effects.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - state: The state that the handlers change.
  @MainActor
  public func emission(for action: Action, on state: inout State) -> EmissionContent<Action> {
    resolve().replay(action, on: &state).content
  }
}
