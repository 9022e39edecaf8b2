/// The lens of a child that exists while an optional part of the state exists.
@usableFromInline
final class OptionalLens<
  ParentState: Sendable, ParentAction: Sendable, State: Sendable, Action: Sendable
>: ChildLens<ParentState, ParentAction, State, Action> {
  private let site: CompositionSite
  private let child: ResolvedInteractor<State, Action>
  private let part: OptionalPart<ParentState, State>
  private let identity: PartIdentity<State>?
  private let embedAction: @MainActor (Action) -> ParentAction

  @usableFromInline
  init(
    _ site: CompositionSite, _ child: ResolvedInteractor<State, Action>,
    _ part: OptionalPart<ParentState, State>, _ identity: PartIdentity<State>?, id: AnyHashable?,
    embed: @escaping @MainActor (Action) -> ParentAction
  ) {
    self.site = site
    self.child = child
    self.part = part
    self.identity = identity
    embedAction = embed
    super.init(row: id.map { ChildID($0) }, canGo: true)
  }

  override var composition: ObjectIdentifier { ObjectIdentifier(site) }

  override var resolvedChild: ResolvedInteractor<State, Action> { child }

  override func look(
    _ parent: UnsafeMutablePointer<ParentState>, _ body: (UnsafeMutablePointer<State>) -> Void
  ) -> Bool {
    part.look(parent) { place in
      // A new id means a new child.
      if let identity, identity(place) != row?.value { return false }
      body(place)
      return true
    } ?? false
  }

  override func modify(
    _ parent: UnsafeMutablePointer<ParentState>, _ update: Update
  ) -> Emission<State, Action>? {
    part.modify(parent) { update($0) }
  }

  override var isRemovable: Bool { part.isRemovable }

  override func remove(from parent: UnsafeMutablePointer<ParentState>) {
    if look(parent, { _ in }) { part.remove(from: parent) }
  }

  override func embed(_ action: Action) -> ParentAction {
    embedAction(action)
  }
}
