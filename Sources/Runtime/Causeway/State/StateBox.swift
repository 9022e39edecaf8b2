/// A state at a fixed address.
///
/// The class is neither isolated nor `Sendable`, because it belongs to the runtime that holds it on
/// the main actor. Because the class is nonisolated, `deinit` frees the memory without a hop.
@usableFromInline
final class StateBox<State>: StateGuard {
  /// The state.
  ///
  /// A pointer instead of a property: handlers then mutate the state without the run-time
  /// exclusivity check, which costs as much as a small handler. ``isMutating`` replaces that check.
  @usableFromInline let pointer: UnsafeMutablePointer<State>

  @usableFromInline
  init(_ state: consuming State) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: state)
  }

  /// Makes a box with a state, or with the initial state of an interactor.
  ///
  /// Not inlined: the temporary copies must leave the stack before other code runs.
  @inlinable
  @inline(never)
  @MainActor
  init(_ state: State?, else initial: InitialValue<State>?) where State: Sendable {
    pointer = .allocate(capacity: 1)
    if let state {
      pointer.initialize(to: state)
    } else if let initial {
      pointer.initialize(to: initial.value)
    } else {
      stopWithoutInitialValue(of: State.self)
    }
  }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }

  /// A copy of the state.
  @usableFromInline
  var value: State {
    requireReadable()
    return pointer.pointee
  }
}
