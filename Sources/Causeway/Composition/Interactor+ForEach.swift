extension Interactor {
  /// Adds a child for each row.
  ///
  /// ```swift
  /// .forEach(\.rows, action: \.row, embed: Action.row) { RowInteractor() }
  /// ```
  ///
  /// When a row is removed, its effects are cancelled. An action for a row that is not there is
  /// dropped, and the first one is reported as
  /// ``RuntimeError/missingChild(action:row:site:)``.
  ///
  /// Complexity: O(1) for an action, in the number of rows.
  ///
  /// - Parameters:
  ///   - part: The rows in this one's state.
  ///   - extract: The row's id and action in this one's action, or `nil`; usually a computed
  ///     property.
  ///   - embed: Makes this one's action of an id and the row's action; usually an enum case.
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
    return parent.wrapped { state, action in
      guard let (id, rowAction) = extract(action) else { return parent.handle(state, action) }
      let handle = row.handle
      let emission = rows.modify(state) { rows in
        rows.pointee.modify(id: id) { handle(&$0, rowAction) }
      }
      let parentEmission = parent.handle(state, action)
      guard let emission else {
        return .both(site.missing(rowAction, row: id), parentEmission)
      }
      if emission.node == nil { return parentEmission }
      let lens = rows.lens(
        row.resolved, id, site.scope(row: EffectID(id)), embed: { embed(id, $0) })
      return .both(emission.lifted(lens), parentEmission)
    }
  }
}

extension StatePart where Root: Sendable {
  /// How the effects of a row reach it, as long as it is there.
  @usableFromInline
  @MainActor
  func lens<ID, Row: Sendable, ParentAction, Action>(
    _ child: ResolvedInteractor<Row, Action>,
    _ id: ID,
    _ scope: EffectScope,
    embed: @escaping @MainActor (Action) -> ParentAction
  ) -> ChildLens<Root, ParentAction, Row, Action> where Part == IdentifiedArray<ID, Row> {
    ChildLens(
      child: child, scope: scope,
      presence: ScopePresence(
        stamp: { read($0).membership },
        isPresent: { read($0).contains(id: id) }),
      read: { read($0)[id: id] },
      modify: { state, update in
        modify(state) { rows in rows.pointee.modify(id: id) { update(&$0) } }
      },
      embed: embed)
  }
}
