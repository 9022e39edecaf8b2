/// The lens of a row of an array, or of a screen of a path.
@usableFromInline
final class RowLens<
  ID: Hashable & Sendable, ParentState: Sendable, ParentAction: Sendable, State: Sendable,
  Action: Sendable
>: ChildLens<ParentState, ParentAction, State, Action> {
  @usableFromInline
  typealias Composition = RowComposition<ID, ParentState, ParentAction, State, Action>

  @usableFromInline let rows: Composition
  @usableFromInline let id: ID
  /// The birth of the screen; `nil` for a row.
  @usableFromInline var birth: RowBirth?

  // Inlinable, because code compiled in this module would look up the metadata of the class.
  @inlinable
  init(_ rows: Composition, _ id: ID, _ birth: RowBirth? = nil) {
    self.rows = rows
    self.id = id
    self.birth = birth
    super.init(row: ChildID(id), canGo: true)
  }

  @usableFromInline
  override var composition: ObjectIdentifier { ObjectIdentifier(rows) }

  override var resolvedChild: ResolvedInteractor<State, Action> { rows.child.resolved }

  /// Whether the screen was not replaced by another one with the same id; always true for a row.
  private func isSameScreen(_ parent: UnsafeMutablePointer<ParentState>) -> Bool {
    guard let birth, let current = rows.birth(parent, id) else { return true }
    guard birth.isSame(as: current) else { return false }
    self.birth = current
    return true
  }

  override func look(
    _ parent: UnsafeMutablePointer<ParentState>, _ body: (UnsafeMutablePointer<State>) -> Void
  ) -> Bool {
    isSameScreen(parent) && rows.look(parent, id, body)
  }

  override var isRow: Bool { true }

  override func rowsStamp(_ parent: UnsafeMutablePointer<ParentState>) -> RowsStamp? {
    rows.stamp(parent)
  }

  override func forEachChangedRow(
    since version: UInt64, _ parent: UnsafeMutablePointer<ParentState>,
    _ body: (ChildID) -> Void
  ) -> Bool {
    rows.forEachChange(parent, version, body)
  }

  override func modify(
    _ parent: UnsafeMutablePointer<ParentState>, _ update: Update
  ) -> Emission<State, Action>? {
    rows.modify(parent, id, update)
  }

  override var isRemovable: Bool { true }

  override func remove(from parent: UnsafeMutablePointer<ParentState>) {
    rows.remove(parent, id)
  }

  override func embed(_ action: Action) -> ParentAction {
    rows.embed(id, action)
  }
}
