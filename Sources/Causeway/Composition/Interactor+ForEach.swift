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
      let lens = RowLens(site, row.resolved, rows, id, embed: embed)
      return .both(emission.lifted(lens), parentEmission)
    }
  }
}

/// The lens of a row.
@usableFromInline
final class RowLens<
  ID: Hashable & Sendable, ParentState: Sendable, ParentAction: Sendable, State: Sendable,
  Action: Sendable
>: ChildLens<ParentState, ParentAction, State, Action> {
  private let rows: StatePart<ParentState, IdentifiedArray<ID, State>>
  private let id: ID
  private let embedAction: @MainActor (ID, Action) -> ParentAction

  @usableFromInline
  init(
    _ site: CompositionSite, _ child: ResolvedInteractor<State, Action>,
    _ rows: StatePart<ParentState, IdentifiedArray<ID, State>>, _ id: ID,
    embed: @escaping @MainActor (ID, Action) -> ParentAction
  ) {
    self.rows = rows
    self.id = id
    embedAction = embed
    super.init(site, child, row: AnyHashable(id), canGo: true)
  }

  override func value(in parent: ParentState) -> State? {
    rows.read(parent)[id: id]
  }

  override func look(
    _ parent: UnsafeMutablePointer<ParentState>, _ body: (UnsafeMutablePointer<State>) -> UInt64?
  ) -> UInt64? {
    rows.look(parent) { $0.pointee.look(id: id, body) }
  }

  override func stamp(_ parent: UnsafeMutablePointer<ParentState>) -> UInt64? {
    rows.look(parent) { $0.pointee.membership }
  }

  override func modify(
    _ parent: UnsafeMutablePointer<ParentState>, _ update: Update
  ) -> Emission<State, Action>? {
    rows.modify(parent) { rows in rows.pointee.modify(id: id) { update(&$0) } }
  }

  override var isRemovable: Bool { true }

  override func remove(from parent: UnsafeMutablePointer<ParentState>) {
    rows.modify(parent) { _ = $0.pointee.remove(id: id) }
  }

  override func embed(_ action: Action) -> ParentAction {
    embedAction(id, action)
  }
}
