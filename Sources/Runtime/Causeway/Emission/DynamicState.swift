/// Reads a running effect's current state.
///
/// ```swift
/// let token = await currentState.token
/// ```
///
/// Isolation: the main actor. A read from an effect hops to the main actor, and then back. The
/// value may be outdated after the effect suspends again. Change state with the update closure of
/// ``Send``, which receives the latest state.
@MainActor
@dynamicMemberLookup
public struct DynamicState<State: Sendable>: Sendable {
  let read: @MainActor () -> State

  nonisolated init<Action>(_ send: Send<State, Action>) {
    read = { send.readState() }
  }

  /// The current state, or the last state after the view model was released.
  ///
  /// After a child was removed, its state reads as the initial value of its interactor, or as the
  /// state with which the effect began if the interactor has no initial value. The child's effect is
  /// then cancelled: check `Task.isCancelled` before using the value.
  public var current: State {
    read()
  }

  /// A part of the current state.
  public subscript<Value>(dynamicMember keyPath: any KeyPath<State, Value> & Sendable) -> Value {
    read()[keyPath: keyPath]
  }
}
