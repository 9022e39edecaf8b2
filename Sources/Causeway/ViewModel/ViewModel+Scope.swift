extension ViewModel {
  /// A view model for a child view, on the same runtime.
  ///
  /// ```swift
  /// SearchView(model.scope(state: \.search, action: Action.search))
  /// ```
  ///
  /// It holds no state of its own: reading a stored part costs what reading it here costs. It
  /// keeps the runtime alive like the view model that it was made from.
  ///
  /// - Parameters:
  ///   - part: The child's view state in this one's.
  ///   - embed: Makes this one's action of the child's; usually an enum case.
  public func scope<ChildState, ChildAction>(
    state part: KeyPath<ViewState, ChildState>,
    action embed: @escaping @MainActor (ChildAction) -> Action
  ) -> ViewModel<ChildState, ChildAction> {
    let source = self.source
    return child(
      ViewStateSource(source.owner, source.address(part), source.observation) {
        source.part(part)
      }, embed)
  }

  /// A view model for a child view that is shown while an optional part is there; `nil` without.
  ///
  /// When the part goes away, it keeps reading as it was when this was made.
  ///
  /// - Parameters:
  ///   - part: The child's view state in this one's.
  ///   - embed: Makes this one's action of the child's; usually an enum case.
  public func scope<ChildState, ChildAction>(
    state part: KeyPath<ViewState, ChildState?>,
    action embed: @escaping @MainActor (ChildAction) -> Action
  ) -> ViewModel<ChildState, ChildAction>? {
    let source = self.source
    guard let first = source.value[keyPath: part] else { return nil }
    return child(
      ViewStateSource(source.owner, nil, source.observation) {
        source.part(part) ?? first
      }, embed)
  }

  /// A view model for the view of a row; `nil` if there is no such row.
  ///
  /// When the row is removed, it keeps reading as it was when this was made.
  ///
  /// Complexity: O(1) in the number of rows, here and for each read.
  ///
  /// - Parameters:
  ///   - rows: The rows in this one's view state.
  ///   - id: Which row.
  ///   - embed: Makes this one's action of an id and the row's action; usually an enum case.
  public func scope<ID, RowState, RowAction>(
    state rows: KeyPath<ViewState, IdentifiedArray<ID, RowState>>,
    id: ID,
    action embed: @escaping @MainActor (ID, RowAction) -> Action
  ) -> ViewModel<RowState, RowAction>? {
    let source = self.source
    guard let first = source.value[keyPath: rows][id: id] else { return nil }
    return child(
      ViewStateSource(source.owner, nil, source.observation) {
        source.part(rows)[id: id] ?? first
      }
    ) { embed(id, $0) }
  }

  private func child<ChildState, ChildAction>(
    _ source: ViewStateSource<ChildState>,
    _ embed: @escaping @MainActor (ChildAction) -> Action
  ) -> ViewModel<ChildState, ChildAction> {
    let parent = self.sendAction
    return ViewModel<ChildState, ChildAction>(
      source: source, lease: lease, sendAction: { parent(embed($0), $1) })
  }
}
