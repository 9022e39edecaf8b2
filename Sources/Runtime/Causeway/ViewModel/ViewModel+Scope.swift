extension ViewModel {
  /// Returns a view model for a child view, on the same runtime.
  ///
  /// ```swift
  /// SearchView(model.scope(state: \.search, action: Action.search))
  /// ```
  ///
  /// The child view model has no state: it reads a stored part as fast as this view model does. It
  /// keeps the runtime alive, as this view model does. All view models of one part share one
  /// observation, so a view may make a new view model at every update.
  ///
  /// - Parameters:
  ///   - part: The child's view state in the view state of this view model.
  ///   - embed: Makes an action of this view model from a child's action; usually an enum case.
  @inlinable
  public func scope<ChildState, ChildAction>(
    state part: KeyPath<ViewState, ChildState>,
    action embed: @escaping (ChildAction) -> Action
  ) -> ViewModel<ChildState, ChildAction> {
    child(source.child(part), embed)
  }

  /// Returns a view model for the view of an optional part; `nil` while the part is missing.
  ///
  /// After the part was removed, the child view model returns the values that it returned last, so
  /// a view that closes still shows its last content. Its actions are dropped, even if the part was
  /// shown again meanwhile: that part has a view model of its own. The first such action is
  /// reported as ``RuntimeError/missingChild(action:row:site:)``. A part that is `Identifiable` and
  /// gets another id is another part.
  ///
  /// A call observes whether the part exists: appearance, removal and replacement invalidate the
  /// calling view, but changes inside the part do not.
  ///
  /// If a value was not read since the child view model was made, the child view model returns the
  /// value of that moment. A read outside of an observation keeps a string, a value without
  /// references, such as a number, and the whole ``viewState``. It keeps no other value.
  ///
  /// - Parameters:
  ///   - part: The child's view state in the view state of this view model.
  ///   - embed: Makes an action of this view model from a child's action; usually an enum case.
  @inlinable
  public func scope<ChildState, ChildAction>(
    state part: KeyPath<ViewState, ChildState?>,
    action embed: @escaping (ChildAction) -> Action
  ) -> ViewModel<ChildState, ChildAction>? {
    source.child(ifThere: part).map { removable($0, embed) }
  }

  /// Returns a view model for the view of a row; `nil` if the row does not exist.
  ///
  /// After the row was removed, the row's view model returns the values that views have observed
  /// last. It returns all other values as they were when the view model was made. A row that is
  /// inserted again is the same row. A call observes whether the row exists: its insertion and
  /// removal invalidate the calling view, but changes inside the row and changes of other rows do
  /// not.
  ///
  /// Complexity: O(1) in the number of rows, for this call and for each read.
  ///
  /// - Parameters:
  ///   - rows: The rows in the view state of this view model.
  ///   - id: The id of the row.
  ///   - embed: Makes an action of this view model from an id and a row's action; usually an enum
  ///     case.
  @inlinable
  public func scope<ID, RowState, RowAction>(
    state rows: KeyPath<ViewState, IdentifiedArray<ID, RowState>>,
    id: ID,
    action embed: @escaping (ID, RowAction) -> Action
  ) -> ViewModel<RowState, RowAction>? {
    source.child(rows, id: id).map { child($0) { embed(id, $0) } }
  }

  /// Makes the view model of a part whose life may end.
  @inlinable
  func removable<ChildState, ChildAction>(
    _ source: ViewStateSource<ChildState>,
    _ embed: @escaping (ChildAction) -> Action
  ) -> ViewModel<ChildState, ChildAction> {
    let parent = self.sendAction
    let (life, lease) = (source.place.life, self.lease)
    return ViewModel<ChildState, ChildAction>(
      source: source, lease: lease,
      sendAction: { action, transaction in
        guard let life else { return parent(embed(action), transaction) }
        if lease.isDropped(action, for: life) { return ActionTask(nil) }
        if !lease.core.isInTurn { return parent(embed(action), transaction) }
        return lease.sendInTurn(action, for: life) { parent(embed(action), transaction) }
      })
  }

  @inlinable
  func child<ChildState, ChildAction>(
    _ source: ViewStateSource<ChildState>,
    _ embed: @escaping (ChildAction) -> Action
  ) -> ViewModel<ChildState, ChildAction> {
    let parent = self.sendAction
    return ViewModel<ChildState, ChildAction>(
      source: source, lease: lease, sendAction: { parent(embed($0), $1) })
  }
}
