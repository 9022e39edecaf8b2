extension ViewModel {
  /// A view model for a child view, on the same runtime.
  ///
  /// ```swift
  /// SearchView(model.scope(state: \.search, action: Action.search))
  /// ```
  ///
  /// It holds no state of its own: reading a stored part costs what reading it here costs. It
  /// keeps the runtime alive like the view model that it was made from. Those that are made of one
  /// part are observed as one, so a view may make its own each time that it is drawn.
  ///
  /// - Parameters:
  ///   - part: The child's view state in this one's.
  ///   - embed: Makes this one's action of the child's; usually an enum case.
  @inlinable
  public func scope<ChildState, ChildAction>(
    state part: KeyPath<ViewState, ChildState>,
    action embed: @escaping @MainActor (ChildAction) -> Action
  ) -> ViewModel<ChildState, ChildAction> {
    child(source.child(part), embed)
  }

  /// A view model for a child view that is shown while an optional part is there; `nil` without.
  ///
  /// When the part goes away, it keeps reading as it was when this was made, and views that have
  /// read it are invalidated. Calling this observes whether the part is there: a view that does is invalidated
  /// when the part comes or goes, and not by changes inside of it.
  ///
  /// - Parameters:
  ///   - part: The child's view state in this one's.
  ///   - embed: Makes this one's action of the child's; usually an enum case.
  @inlinable
  public func scope<ChildState, ChildAction>(
    state part: KeyPath<ViewState, ChildState?>,
    action embed: @escaping @MainActor (ChildAction) -> Action
  ) -> ViewModel<ChildState, ChildAction>? {
    source.child(ifThere: part).map { child($0, embed) }
  }

  /// A view model for the view of a row; `nil` if there is no such row.
  ///
  /// When the row is removed, it keeps reading as it was when this was made, and views that have
  /// read it are invalidated. Calling this observes whether the row is there: a view that does is invalidated
  /// when the row comes or goes, and neither by changes inside of it nor by other rows.
  ///
  /// Complexity: O(1) in the number of rows, here and for each read.
  ///
  /// - Parameters:
  ///   - rows: The rows in this one's view state.
  ///   - id: Which row.
  ///   - embed: Makes this one's action of an id and the row's action; usually an enum case.
  @inlinable
  public func scope<ID, RowState, RowAction>(
    state rows: KeyPath<ViewState, IdentifiedArray<ID, RowState>>,
    id: ID,
    action embed: @escaping @MainActor (ID, RowAction) -> Action
  ) -> ViewModel<RowState, RowAction>? {
    source.child(rows, id: id).map { child($0) { embed(id, $0) } }
  }

  @inlinable
  func child<ChildState, ChildAction>(
    _ source: ViewStateSource<ChildState>,
    _ embed: @escaping @MainActor (ChildAction) -> Action
  ) -> ViewModel<ChildState, ChildAction> {
    let parent = self.sendAction
    return ViewModel<ChildState, ChildAction>(
      source: source, lease: lease, sendAction: { parent(embed($0), $1) })
  }
}
