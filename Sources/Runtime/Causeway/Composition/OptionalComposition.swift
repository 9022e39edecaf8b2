/// The parts that the lenses of one optional child share.
///
/// It contains closures, which the compiler specialises in the client's module. Generic methods of
/// this module would look up the metadata of their types at each call.
@MainActor
@usableFromInline
final class OptionalComposition<
  ParentState: Sendable, ParentAction: Sendable, State: Sendable, Action: Sendable
> {
  @usableFromInline typealias Lens = OptionalLens<ParentState, ParentAction, State, Action>
  @usableFromInline typealias Parent = UnsafeMutablePointer<ParentState>
  @usableFromInline typealias Update = ResolvedInteractor<State, Action>.Update
  @usableFromInline typealias Look = (UnsafeMutablePointer<State>) -> Void

  let site: CompositionSite
  let child: LazyChild<State, Action>
  let identity: PartIdentity<State>?
  /// Calls the closure with the address of the part, and returns whether there is one.
  let look: @MainActor (Parent, Look) -> Bool
  let modify: @MainActor (Parent, Update) -> Emission<State, Action>?
  /// Removes the part; `nil` for a part that cannot be missing in the parent's state.
  let remove: (@MainActor (Parent) -> Void)?
  let embed: @MainActor (Action) -> ParentAction
  /// The lens of the child without an id, for its later emissions.
  ///
  /// It is not made with the composition, because the child must not be resolved too early.
  private var lens: Lens?

  @usableFromInline
  init(
    _ site: CompositionSite, _ child: LazyChild<State, Action>, _ identity: PartIdentity<State>?,
    look: @escaping @MainActor (Parent, Look) -> Bool,
    modify: @escaping @MainActor (Parent, Update) -> Emission<State, Action>?,
    remove: (@MainActor (Parent) -> Void)?,
    embed: @escaping @MainActor (Action) -> ParentAction
  ) {
    self.site = site
    self.child = child
    self.identity = identity
    self.look = look
    self.modify = modify
    self.remove = remove
    self.embed = embed
  }

  @inlinable
  convenience init(
    _ site: CompositionSite, _ child: LazyChild<State, Action>, _ identity: PartIdentity<State>?,
    _ part: OptionalPart<ParentState, State>, embed: @escaping @MainActor (Action) -> ParentAction
  ) {
    let remove: @MainActor (Parent) -> Void = { part.remove(from: $0) }
    self.init(
      site, child, identity,
      look: { parent, body in
        part.look(parent) { place in
          body(place)
          return true
        } ?? false
      },
      modify: { parent, update in part.modify(parent) { update($0) } },
      remove: part.isRemovable ? remove : nil, embed: embed)
  }

  /// Returns the lens of the child with an id, or of the child without an id.
  @usableFromInline
  func lens(_ id: AnyHashable?) -> Lens {
    // A lens with an id is not kept, because the id may retain an object.
    if id != nil { return Lens(self, child.resolved, id: id) }
    if let lens { return lens }
    let new = Lens(self, child.resolved, id: nil)
    lens = new
    return new
  }
}
