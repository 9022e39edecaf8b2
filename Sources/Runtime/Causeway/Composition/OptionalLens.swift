/// The lens of a child that exists while an optional part of the state exists.
@usableFromInline
final class OptionalLens<
  ParentState: Sendable, ParentAction: Sendable, State: Sendable, Action: Sendable
>: ChildLens<ParentState, ParentAction, State, Action> {
  @usableFromInline
  typealias Composition = OptionalComposition<ParentState, ParentAction, State, Action>

  // The lens copies the members of the composition. The composition may keep this lens, so a
  // reference to the composition could make a cycle.
  private let site: CompositionSite
  private let child: ResolvedInteractor<State, Action>
  private let identity: PartIdentity<State>?
  private let lookAtPart: @MainActor (Composition.Parent, Composition.Look) -> Bool
  private let modifyPart: @MainActor (Composition.Parent, Update) -> Emission<State, Action>?
  private let removePart: (@MainActor (Composition.Parent) -> Void)?
  private let embedAction: @MainActor (Action) -> ParentAction

  init(
    _ composition: Composition, _ child: ResolvedInteractor<State, Action>, id: AnyHashable?
  ) {
    site = composition.site
    self.child = child
    identity = composition.identity
    lookAtPart = composition.look
    modifyPart = composition.modify
    removePart = composition.remove
    embedAction = composition.embed
    super.init(row: id.map { ChildID($0) }, canGo: true)
  }

  @usableFromInline
  override var composition: ObjectIdentifier { ObjectIdentifier(site) }

  override var resolvedChild: ResolvedInteractor<State, Action> { child }

  override func look(
    _ parent: UnsafeMutablePointer<ParentState>, _ body: (UnsafeMutablePointer<State>) -> Void
  ) -> Bool {
    guard let identity else { return lookAtPart(parent, body) }
    var isSame = false
    _ = lookAtPart(parent) { place in
      // A new id means a new child.
      if identity(place) != row?.value { return }
      isSame = true
      body(place)
    }
    return isSame
  }

  override func modify(
    _ parent: UnsafeMutablePointer<ParentState>, _ update: Update
  ) -> Emission<State, Action>? {
    modifyPart(parent, update)
  }

  override var isRemovable: Bool { removePart != nil }

  override func remove(from parent: UnsafeMutablePointer<ParentState>) {
    if let removePart, look(parent, { _ in }) { removePart(parent) }
  }

  override func embed(_ action: Action) -> ParentAction {
    embedAction(action)
  }
}
