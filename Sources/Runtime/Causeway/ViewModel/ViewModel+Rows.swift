extension ViewModel {
  /// The rows of an array in the view state, with separate observation of their ids.
  ///
  /// A view that reads `model.rows.ids`, `count` or `isEmpty` observes the ids. Insertions,
  /// removals and moves invalidate that view; a change inside a row does not. All other members of
  /// the array are read and observed as a whole.
  public subscript<ID, Row: Equatable>(
    dynamicMember rows: KeyPath<ViewState, IdentifiedArray<ID, Row>>
  ) -> ObservedRows<ViewState, ID, Row> {
    ObservedRows(source: source, rows: rows)
  }

  /// A view model for each row, in order.
  ///
  /// ```swift
  /// ForEach(model.scopes(state: \.rows, action: Action.row)) { RowView($0) }
  /// ```
  ///
  /// A call observes the ids of the rows, but not their contents. For long lists, make view models
  /// only for visible rows, with ``scope(state:id:action:)``.
  ///
  /// Complexity: O(*n*) in the number of rows.
  ///
  /// - Parameters:
  ///   - rows: The rows in the view state of this view model.
  ///   - embed: Makes an action of this view model from an id and a row's action; usually an enum
  ///     case.
  public func scopes<ID, RowState, RowAction>(
    state rows: KeyPath<ViewState, IdentifiedArray<ID, RowState>>,
    action embed: @escaping (ID, RowAction) -> Action
  ) -> [ViewModel<RowState, RowAction>] {
    source.rowIDs(rows).compactMap { scope(state: rows, id: $0, action: embed) }
  }
}
