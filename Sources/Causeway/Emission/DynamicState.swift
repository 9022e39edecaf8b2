/// Reads a running effect's current state.
///
/// ```swift
/// let token = await currentState.token
/// ```
///
/// Isolation: the main actor; reading it from an effect hops there and back. What was read may
/// be outdated as soon as the effect suspends again: change state through ``Send``'s update
/// closure, which sees the latest.
@MainActor
@dynamicMemberLookup
public struct DynamicState<State: Sendable>: Sendable {
  let read: @MainActor () -> State

  nonisolated init<Action>(_ send: Send<State, Action>) {
    read = { send.readState() }
  }

  /// The state at this moment; the last one when the view model is gone.
  ///
  /// The state of a child that is gone reads as its interactor's initial value. Its effect has
  /// been cancelled by then: ask `Task.isCancelled` before acting on what was read.
  public var current: State {
    read()
  }

  /// A part of the state at this moment.
  public subscript<Value>(dynamicMember keyPath: any KeyPath<State, Value> & Sendable) -> Value {
    read()[keyPath: keyPath]
  }
}
