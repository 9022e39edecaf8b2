/// A child's interactor, resolved at the first use.
///
/// A feature can therefore contain itself.
@MainActor
@usableFromInline
final class LazyChild<State: Sendable, Action: Sendable> {
  @usableFromInline let resolve: @MainActor () -> ResolvedInteractor<State, Action>
  @usableFromInline var known: ResolvedInteractor<State, Action>?
  /// The handler of the resolved child.
  ///
  /// It is stored separately, because a read through `known` would retain all of `known` for each
  /// action.
  ///
  /// Unchecked: every access is a single load or store on the main actor.
  @exclusivity(unchecked) @usableFromInline
  var handler: ResolvedInteractor<State, Action>.PlacedHandler?

  /// Whether the child or its own children share a value; `nil` until this is determined.
  var sharing: Bool?

  @usableFromInline
  init(_ resolve: @escaping @MainActor () -> ResolvedInteractor<State, Action>) {
    self.resolve = resolve
  }

  @inlinable var resolved: ResolvedInteractor<State, Action> {
    if let known { return known }
    let resolved = resolve()
    known = resolved
    handler = resolved.handle
    return resolved
  }

  @inlinable var handle: ResolvedInteractor<State, Action>.PlacedHandler {
    if let handler { return handler }
    return resolved.handle
  }
}
