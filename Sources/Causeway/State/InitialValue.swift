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
func stopWithoutInitialValue() -> Never {
  fatalError("The `if` or `for` that begins a body made no interactor. Put one before it.")
}
