/// Keeps the lens of a child without an id, for its later emissions.
///
/// The lens is not made with the composition, because the child must not be resolved too early.
@MainActor
@usableFromInline
final class OptionalLensCache<
  ParentState: Sendable, ParentAction: Sendable, State: Sendable, Action: Sendable
> {
  @usableFromInline typealias Lens = OptionalLens<ParentState, ParentAction, State, Action>

  private var lens: Lens?

  @usableFromInline
  init() {}

  /// Returns the lens of the child with an id, or of the child without an id.
  @usableFromInline
  func lens(_ id: AnyHashable?, make: () -> Lens) -> Lens {
    // A lens with an id is not kept, because the id may retain an object.
    if id != nil { return make() }
    if let lens { return lens }
    let new = make()
    lens = new
    return new
  }
}
