/// Accesses a child's state in its parent, and converts its actions to the parent's actions.
///
/// There is a subclass for each kind of child: permanent, optional and row.
@MainActor
@usableFromInline
class ChildLens<ParentState: Sendable, ParentAction: Sendable, State: Sendable, Action: Sendable> {
  @usableFromInline typealias Update = ResolvedInteractor<State, Action>.Update

  /// Distinguishes the children of different compositions; valid while the lens exists.
  @usableFromInline var composition: ObjectIdentifier {
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
  final func value(in parent: ParentState) -> State? {
    var parent = parent
    var value: State?
    withUnsafeMutablePointer(to: &parent) { parent in
      _ = look(parent) { value = $0.pointee }
    }
    return value
  }

  /// Calls `body` with the address of the child's state.
  ///
  /// Returns false without calling `body` while there is no child.
  func look(
    _ parent: UnsafeMutablePointer<ParentState>, _ body: (UnsafeMutablePointer<State>) -> Void
  ) -> Bool {
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
