extension Interactor {
  /// Adds a child for each row.
  ///
  /// ```swift
  /// .forEach(\.rows, action: \.row, embed: Action.row) { RowInteractor() }
  /// ```
  ///
  /// When a row is removed, its effects are cancelled. An action for a missing row is dropped. The
  /// first such action is reported as ``RuntimeError/missingChild(action:row:site:)``.
  ///
  /// Complexity: O(1) for an action, in the number of rows.
  ///
  /// - Parameters:
  ///   - part: The rows in the state of this interactor.
  ///   - extract: Returns the row's id and action from an action of this interactor, or `nil`;
  ///     usually a computed property.
  ///   - embed: Makes an action of this interactor from an id and a row's action; usually an enum
  ///     case.
  ///   - row: The child of every row. It handles an action before this interactor does.
  ///   - fileID: The file of the call, for reports of misuse; leave it to the compiler.
  ///   - line: The line of the call.
  @inlinable
  public func forEach<
    ID: Hashable & Sendable, RowState, RowAction, Row: Interactor<RowState, RowAction>
  >(
    _ part: WritableKeyPath<State, IdentifiedArray<ID, RowState>>,
    action extract: @escaping (Action) -> (ID, RowAction)?,
    embed: @escaping @MainActor (ID, RowAction) -> Action,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @InteractorBuilder<RowState, RowAction> _ row: @escaping () -> Row
  ) -> ResolvedInteractor<State, Action> {
    let parent = resolve()
    let row = LazyChild { row().resolve() }
    let rows = StatePart(part)
    let whole = StatePart(\RowState.self)
    let site = CompositionSite(fileID: fileID, line: line)
    return parent.wrapped { state, action, values in
      guard let (id, rowAction) = extract(action) else {
        return parent.handle(state, action, values)
      }
      let handle = row.handle
      let emission = rows.modify(state) { rows in
        rows.pointee.modify(id: id) { handle(&$0, rowAction, values) }
      }
      let parentEmission = parent.handle(state, action, values)
      guard let emission else {
        return .both(site.missing(rowAction, row: id), parentEmission)
      }
      if emission.node == nil { return parentEmission }
      let lens = RowLens(
        site, row.resolved, rows, whole, id, remove: { $0.remove(id: $1) }, embed: embed)
      return .both(emission.lifted(lens), parentEmission)
    }
  }
}

/// The lens of a row of an array, or of a screen of a path.
@usableFromInline
final class RowLens<
  ID: Hashable & Sendable, Row: Sendable, ParentState: Sendable, ParentAction: Sendable,
  State: Sendable, Action: Sendable
>: ChildLens<ParentState, ParentAction, State, Action> {
  @usableFromInline typealias Rows = IdentifiedArray<ID, Row>

  private let rows: StatePart<ParentState, Rows>
  /// The child's state in its row.
  private let part: StatePart<Row, State>
  private let id: ID
  private let removeRow: @MainActor (inout Rows, ID) -> Void
  private let embedAction: @MainActor (ID, Action) -> ParentAction

  @usableFromInline
  init(
    _ site: CompositionSite, _ child: ResolvedInteractor<State, Action>,
    _ rows: StatePart<ParentState, Rows>, _ part: StatePart<Row, State>, _ id: ID,
    remove: @escaping @MainActor (inout Rows, ID) -> Void,
    embed: @escaping @MainActor (ID, Action) -> ParentAction
  ) {
    self.rows = rows
    self.part = part
    self.id = id
    removeRow = remove
    embedAction = embed
    super.init(site, child, row: AnyHashable(id), canGo: true)
  }

  override func value(in parent: ParentState) -> State? {
    rows.read(parent)[id: id].map(part.read)
  }

  override func look(
    _ parent: UnsafeMutablePointer<ParentState>, _ body: (UnsafeMutablePointer<State>) -> UInt64?
  ) -> UInt64? {
    rows.look(parent) { $0.pointee.look(id: id) { part.look($0, body) } }
  }

  override var isRow: Bool { true }

  override func rowsStamp(_ parent: UnsafeMutablePointer<ParentState>) -> RowsStamp? {
    var stamp: RowsStamp?
    _ = rows.look(parent) { rows in
      stamp = RowsStamp(version: rows.pointee.version, membership: rows.pointee.membership)
      return nil
    }
    return stamp
  }

  override func forEachChangedRow(
    since version: UInt64, _ parent: UnsafeMutablePointer<ParentState>,
    _ body: (AnyHashable) -> Void
  ) -> Bool {
    rows.look(parent) { $0.pointee.forEachChange(since: version, body) ? 1 : nil } != nil
  }

  override func modify(
    _ parent: UnsafeMutablePointer<ParentState>, _ update: Update
  ) -> Emission<State, Action>? {
    rows.modify(parent) { rows in
      rows.pointee.modify(id: id) { row in
        withUnsafeMutablePointer(to: &row) { part.modify($0) { update($0) } }
      }
    }
  }

  override var isRemovable: Bool { true }

  override func remove(from parent: UnsafeMutablePointer<ParentState>) {
    rows.modify(parent) { removeRow(&$0.pointee, id) }
  }

  override func embed(_ action: Action) -> ParentAction {
    embedAction(id, action)
  }
}
