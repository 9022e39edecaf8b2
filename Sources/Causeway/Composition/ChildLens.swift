/// Accesses a child's state in its parent, and converts its actions to the parent's actions.
///
/// There is a subclass for each kind of child: permanent, optional and row.
@MainActor
@usableFromInline
class ChildLens<ParentState: Sendable, ParentAction: Sendable, State: Sendable, Action: Sendable> {
  @usableFromInline typealias Update = ResolvedInteractor<State, Action>.Update

  /// Distinguishes the children of different compositions; valid while the lens exists.
  var composition: ObjectIdentifier {
    preconditionFailure("\(Self.self) must override composition")
  }

  /// The child's interactor.
  var resolvedChild: ResolvedInteractor<State, Action> {
    preconditionFailure("\(Self.self) must override resolvedChild")
  }

  /// The id of the row or of the identifiable child.
  @usableFromInline final let row: ChildID?
  /// Whether the child can be removed.
  @usableFromInline final let canGo: Bool
  /// Whether the child can remove itself from its parent.
  var isRemovable: Bool { false }

  @inlinable
  init(row: ChildID?, canGo: Bool) {
    self.row = row
    self.canGo = canGo
  }

  /// A copy of the child's state; `nil` while there is no child.
  func value(in parent: ParentState) -> State? {
    preconditionFailure("\(Self.self) must override value(in:)")
  }

  /// Calls `body` with the address of the child's state.
  ///
  /// Returns `nil` without calling `body` while there is no child.
  func look(
    _ parent: UnsafeMutablePointer<ParentState>, _ body: (UnsafeMutablePointer<State>) -> UInt64?
  ) -> UInt64? {
    preconditionFailure("\(Self.self) must override look(_:_:)")
  }

  /// Whether the child is a row of an array.
  var isRow: Bool { false }

  /// The stamp of the array of rows; `nil` for a child that is not a row.
  func rowsStamp(_ parent: UnsafeMutablePointer<ParentState>) -> RowsStamp? { nil }

  /// Calls `body` with the id of each row that was changed or appended since a version.
  ///
  /// Returns false without calling `body` if the changes are not known.
  func forEachChangedRow(
    since version: UInt64, _ parent: UnsafeMutablePointer<ParentState>,
    _ body: (ChildID) -> Void
  ) -> Bool { false }

  /// Changes the child's state in place.
  ///
  /// Returns `nil` without calling `body` while there is no child.
  func modify(
    _ parent: UnsafeMutablePointer<ParentState>, _ update: Update
  ) -> Emission<State, Action>? {
    preconditionFailure("\(Self.self) must override modify(_:_:)")
  }

  /// Removes the child from its parent, if ``isRemovable``.
  func remove(from parent: UnsafeMutablePointer<ParentState>) {}

  func embed(_ action: Action) -> ParentAction {
    preconditionFailure("\(Self.self) must override embed(_:)")
  }

  /// Applies an update to the child in its parent, and calls the child's own `onChange`.
  final func apply(
    _ update: Update, to parent: UnsafeMutablePointer<ParentState>
  ) -> Emission<ParentState, ParentAction> {
    let child = resolvedChild
    return modify(parent) { child.apply(update, to: $0) }?.lifted(self) ?? .state
  }
}

extension Emission {
  /// Turns an emission of the child into an emission of the parent.
  @inlinable
  @MainActor
  func lifted<ParentState, ParentAction>(
    _ lens: ChildLens<ParentState, ParentAction, State, Action>
  ) -> Emission<ParentState, ParentAction> {
    guard let node else { return .state }
    return Emission<ParentState, ParentAction>(.child(LiftedEmission(node, lens)))
  }
}

/// An emission of a child.
///
/// The parent does not depend on the types of the child.
@MainActor
@usableFromInline
class ChildEmission<ParentState: Sendable, ParentAction: Sendable> {
  @inlinable
  init() {}

  func carryOut(in parent: EffectPort<ParentState, ParentAction>, _ cascade: Cascade) {
    preconditionFailure("\(Self.self) must override carryOut(in:_:)")
  }

  func content<Root>(_ embed: (ParentAction) -> Root) -> EmissionContent<Root> {
    preconditionFailure("\(Self.self) must override content(_:)")
  }
}

@usableFromInline
final class LiftedEmission<
  ParentState: Sendable, ParentAction: Sendable, State: Sendable, Action: Sendable
>: ChildEmission<ParentState, ParentAction> {
  @usableFromInline let node: EmissionNode<State, Action>
  @usableFromInline let lens: ChildLens<ParentState, ParentAction, State, Action>

  @inlinable
  init(
    _ node: EmissionNode<State, Action>,
    _ lens: ChildLens<ParentState, ParentAction, State, Action>
  ) {
    self.node = node
    self.lens = lens
  }

  override func carryOut(in parent: EffectPort<ParentState, ParentAction>, _ cascade: Cascade) {
    guard let known = parent.child(lens.composition, lens.row) else {
      return ChildPort(parent, lens).carryOut(node, cascade)
    }
    // All scopes of one composition are ports with the types of its lenses. A checked cast would
    // look up the metadata of the type.
    unsafeDowncast(known, to: EffectPort<State, Action>.self).carryOut(node, cascade)
  }

  override func content<Root>(_ embed: (ParentAction) -> Root) -> EmissionContent<Root> {
    node.content { embed(lens.embed($0)) }
  }
}

/// The id of a row or of an identifiable child, with its hash.
///
/// Hashing an `AnyHashable` costs several times as much as hashing the id in it. All ids of one
/// composition have the same type.
@usableFromInline
struct ChildID: Hashable {
  let value: AnyHashable
  private let hash: Int

  @usableFromInline
  init(_ value: AnyHashable, hash: Int) {
    self.value = value
    self.hash = hash
  }

  @inlinable
  init(_ id: some Hashable) {
    self.init(AnyHashable(id), hash: id.hashValue)
  }

  @usableFromInline
  static func == (left: ChildID, right: ChildID) -> Bool {
    left.hash == right.hash && left.value == right.value
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }
}
