public import Causeway

/// Repeats a session with a feature, without its effects.
///
/// ```swift
/// let run = ScriptedRun(Search())
/// run.send(.updateQuery("swift"))
/// run.update(from: "search") { $0.results = ["Swift"] }
/// #expect(run.state.results == ["Swift"])
/// ```
///
/// Handlers run as in the session. Effects do not start: the script contains their updates, so the
/// feature needs no working dependencies. `causeway-recording test` writes such scripts.
///
/// Isolation: the main actor.
@MainActor
public final class ScriptedRun<State: Sendable, Action: Sendable> {
  /// The state after the steps so far.
  public private(set) var state: State
  private let interactor: ResolvedInteractor<State, Action>

  /// Makes a run that has not begun.
  ///
  /// - Parameters:
  ///   - interactor: The feature.
  ///   - initialState: The state to start with. Default: the interactor's initial value.
  public init(_ interactor: some Interactor<State, Action>, initialState: State? = nil) {
    let resolved = interactor.resolve()
    self.interactor = resolved
    state = initialState ?? resolved.initialValue
  }

  /// Handles an action.
  ///
  /// The actions that the handler returns are not handled. If they are a part of the session, they
  /// are steps of the script.
  public func send(_ action: Action) {
    interactor.replay(action, on: &state)
  }

  /// Applies an update that an effect sent in the session.
  ///
  /// - Parameters:
  ///   - effect: The name of the effect, for readers of the script.
  ///   - change: Changes the state as the update and its `onChange` handlers did.
  public func update(from effect: String, _ change: (inout State) -> Void) {
    change(&state)
  }
}
