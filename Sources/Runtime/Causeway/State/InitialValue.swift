/// An initial state behind a reference.
///
/// Compositions copy interactors, and each modifier stores the interactor that it modifies. Without
/// the reference, a large state would be copied to the stack and to memory many times.
@MainActor
@usableFromInline
class InitialValue<State: Sendable> {
  @usableFromInline final let value: State

  @inlinable
  init(_ value: State) {
    self.value = value
  }
}

/// `precondition` prints no message in a release build.
@usableFromInline
@inline(never)
func stopWithoutInitialValue(of state: Any.Type) -> Never {
  fatalError(
    """
    No interactor of this body gives the state to start with (\(String(reflecting: state))). Pass \
    `initialState:`, or write `Interact(initialValue:)` in a feature that can be the root.
    """)
}
