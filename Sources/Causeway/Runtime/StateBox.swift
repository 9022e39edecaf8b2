/// A state at a fixed address.
///
/// Neither isolated nor `Sendable`: it belongs to the main-actor runtime that holds it, and being
/// nonisolated lets `deinit` free the memory without a hop.
@usableFromInline
final class StateBox<State>: StateGuard {
  /// The state.
  ///
  /// A pointer and not a property, so that handlers mutate it without the run-time exclusivity
  /// check, which costs as much as a small handler; ``isMutating`` guards instead.
  @usableFromInline let pointer: UnsafeMutablePointer<State>

  @usableFromInline
  init(_ state: consuming State) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: state)
  }

  /// A box with a state, or with an interactor's initial one.
  ///
  /// Not inlined, so that the copies on the way leave the stack before anything else runs.
  @usableFromInline
  @inline(never)
  init(_ state: State?, else initial: InitialValue<State>) where State: Sendable {
    pointer = .allocate(capacity: 1)
    if let state {
      pointer.initialize(to: state)
    } else {
      pointer.initialize(to: initial.value)
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

/// Guards a state against being read while it is changed.
@usableFromInline
class StateGuard {
  /// True while a handler or an update holds the state `inout`.
  ///
  /// Unchecked because every access to it is a single load or store on the main actor.
  @exclusivity(unchecked) @usableFromInline final var isMutating = false

  @usableFromInline
  init() {}

  /// Stops a program that reads a view model inside the handler that is changing its state.
  @inlinable
  final func requireReadable() {
    if isMutating { stopReading() }
  }

  /// Not `precondition`, which prints nothing in a release build.
  @usableFromInline
  @inline(never)
  final func stopReading() -> Never {
    fatalError(
      "The state was read while a handler changes it. Use the handler's state parameter instead.")
  }
}
