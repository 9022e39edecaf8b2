extension Interactor {
  /// Adds a child for each row.
  ///
  /// ```swift
  /// .forEach(\.rows, action: \.row, embed: Action.row) { RowInteractor() }
  /// ```
  ///
  /// When a row is removed, its effects are cancelled. A row that a handler removes and inserts
  /// again, for example to move it, is the same row and keeps its effects. A new row needs a new id.
  /// An action for a missing row is dropped. The first such action is reported as
  /// ``RuntimeError/missingChild(action:row:site:)``.
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
  ///   - removal: Called with the last state of each row that is gone; see
  ///     <doc:Composition#When-a-child-goes>.
  ///   - fileID: The file of the call, for reports of misuse; leave it to the compiler.
  ///   - line: The line of the call.
  @inlinable
  public func forEach<
    ID: Hashable & Sendable, RowState, RowAction, Row: Interactor<RowState, RowAction>
  >(
    _ part: WritableKeyPath<State, IdentifiedArray<ID, RowState>>,
    action extract: @escaping (Action) -> (ID, RowAction)?,
    embed: @escaping (ID, RowAction) -> Action,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @InteractorBuilder<RowState, RowAction> _ row: @escaping () -> Row,
    onRemoval removal: (@MainActor (inout State, RowState) -> Emission<State, Action>)? = nil
  ) -> ResolvedInteractor<State, Action> {
    let rows = StatePart(part)
    let parent = resolve().watched(by: RemovalHook(rows, removal))
    let row = LazyChild { row().resolve() }
    let site = CompositionSite(fileID: fileID, line: line)
    let part = StatePart(\RowState.self)
    let composition = RowComposition(
      row, rows, part, remove: { $0.remove(id: $1) }, embed: { embed($0, $1) })
    return parent.wrapped(exchange: SharedExchange.rows(rows, part, row)) { state, action, values in
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
      let lens = RowLens(composition, id)
      return .both(emission.lifted(lens), parentEmission)
    }
  }
}
