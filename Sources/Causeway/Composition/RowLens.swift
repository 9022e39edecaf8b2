/// The parts that the rows of one `forEach`, or the screens of one `screens`, share.
///
/// It contains closures, which the compiler specialises in the client's module. Generic methods of
/// this module would look up the metadata of their types at each call.
@MainActor
@usableFromInline
final class RowComposition<
  ID: Hashable & Sendable, ParentState: Sendable, ParentAction: Sendable, State: Sendable,
  Action: Sendable
> {
  @usableFromInline typealias Parent = UnsafeMutablePointer<ParentState>
  @usableFromInline typealias Update = ResolvedInteractor<State, Action>.Update
  @usableFromInline typealias Look = (UnsafeMutablePointer<State>) -> UInt64?

  let child: LazyChild<State, Action>
  let read: @MainActor (ParentState, ID) -> State?
  let look: @MainActor (Parent, ID, Look) -> UInt64?
  let modify: @MainActor (Parent, ID, Update) -> Emission<State, Action>?
  let stamp: @MainActor (Parent) -> RowsStamp?
  let forEachChange: @MainActor (Parent, _ since: UInt64, (ChildID) -> Void) -> Bool
  let remove: @MainActor (Parent, ID) -> Void
  /// Returns the birth of a screen; `nil` if the screen is missing, and for rows.
  let birth: @MainActor (Parent, ID) -> RowBirth?
  let embed: @MainActor (ID, Action) -> ParentAction

  @usableFromInline
  init(
    _ child: LazyChild<State, Action>,
    read: @escaping @MainActor (ParentState, ID) -> State?,
    look: @escaping @MainActor (Parent, ID, Look) -> UInt64?,
    modify: @escaping @MainActor (Parent, ID, Update) -> Emission<State, Action>?,
    stamp: @escaping @MainActor (Parent) -> RowsStamp?,
    forEachChange: @escaping @MainActor (Parent, UInt64, (ChildID) -> Void) -> Bool,
    remove: @escaping @MainActor (Parent, ID) -> Void,
    birth: @escaping @MainActor (Parent, ID) -> RowBirth?,
    embed: @escaping @MainActor (ID, Action) -> ParentAction
  ) {
    self.child = child
    self.read = read
    self.look = look
    self.modify = modify
    self.stamp = stamp
    self.forEachChange = forEachChange
    self.remove = remove
    self.birth = birth
    self.embed = embed
  }

  /// - Parameters:
  ///   - rows: The array of rows in the parent's state.
  ///   - part: The child's state in a row.
  ///   - birth: Returns the birth of a screen; `nil` for rows.
  @inlinable
  convenience init<Row>(
    _ child: LazyChild<State, Action>,
    _ rows: StatePart<ParentState, IdentifiedArray<ID, Row>>, _ part: StatePart<Row, State>,
    remove: @escaping @MainActor (inout IdentifiedArray<ID, Row>, ID) -> Void,
    birth: @escaping @MainActor (Row) -> RowBirth? = { _ in nil },
    embed: @escaping @MainActor (ID, Action) -> ParentAction
  ) {
    self.init(
      child,
      read: { parent, id in rows.read(parent)[id: id].map { part.read($0) } },
      look: { parent, id, body in
        rows.look(parent) { $0.pointee.look(id: id) { part.look($0, body) } }
      },
      modify: { parent, id, update in
        rows.modify(parent) { rows in
          rows.pointee.modify(id: id) { row in
            withUnsafeMutablePointer(to: &row) { part.modify($0) { update($0) } }
          }
        }
      },
      stamp: { parent in
        var stamp: RowsStamp?
        _ = rows.look(parent) { rows in
          stamp = RowsStamp(version: rows.pointee.version, membership: rows.pointee.membership)
          return nil
        }
        return stamp
      },
      forEachChange: { parent, version, body in
        rows.look(parent) { $0.pointee.forEachChange(since: version, body) ? 1 : nil } != nil
      },
      remove: { parent, id in rows.modify(parent) { remove(&$0.pointee, id) } },
      birth: { parent, id in
        var found: RowBirth?
        _ = rows.look(parent) { rows in
          rows.pointee.look(id: id) { row in
            found = birth(row.pointee)
            return nil
          }
        }
        return found
      },
      embed: embed)
  }
}

/// The lens of a row of an array, or of a screen of a path.
@usableFromInline
final class RowLens<
  ID: Hashable & Sendable, ParentState: Sendable, ParentAction: Sendable, State: Sendable,
  Action: Sendable
>: ChildLens<ParentState, ParentAction, State, Action> {
  @usableFromInline
  typealias Composition = RowComposition<ID, ParentState, ParentAction, State, Action>

  private let rows: Composition
  private let id: ID
  /// The birth of the screen; `nil` for a row.
  private var birth: RowBirth?

  @usableFromInline
  init(_ rows: Composition, _ id: ID, _ birth: RowBirth? = nil) {
    self.rows = rows
    self.id = id
    self.birth = birth
    super.init(row: ChildID(id), canGo: true)
  }

  override var composition: ObjectIdentifier { ObjectIdentifier(rows) }

  override var resolvedChild: ResolvedInteractor<State, Action> { rows.child.resolved }

  override func value(in parent: ParentState) -> State? {
    if birth != nil {
      var copy = parent
      guard withUnsafeMutablePointer(to: &copy, { isSameScreen($0) }) else { return nil }
    }
    return rows.read(parent, id)
  }

  /// Whether there is no other screen with the same id; always true for a row.
  private func isSameScreen(_ parent: UnsafeMutablePointer<ParentState>) -> Bool {
    guard let birth, let current = rows.birth(parent, id) else { return true }
    guard birth.isSame(as: current) else { return false }
    self.birth = current
    return true
  }

  override func look(
    _ parent: UnsafeMutablePointer<ParentState>, _ body: (UnsafeMutablePointer<State>) -> UInt64?
  ) -> UInt64? {
    isSameScreen(parent) ? rows.look(parent, id, body) : nil
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
