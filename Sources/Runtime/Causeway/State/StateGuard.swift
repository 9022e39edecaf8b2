/// Stops the program if a state is read during its change.
@usableFromInline
class StateGuard {
  /// True while a handler or an update accesses the state `inout`.
  ///
  /// Unchecked: every access is a single load or store on the main actor.
  @exclusivity(unchecked) @usableFromInline final var isMutating = false

  @usableFromInline
  init() {}

  /// Stops the program if a handler reads the view model whose state it is changing.
  @inlinable
  final func requireReadable() {
    if isMutating { stopReading() }
  }

  /// `precondition` prints no message in a release build.
  @usableFromInline
  @inline(never)
  final func stopReading() -> Never {
    fatalError(
      "The state was read while a handler changes it. Use the handler's state parameter instead.")
  }
}
