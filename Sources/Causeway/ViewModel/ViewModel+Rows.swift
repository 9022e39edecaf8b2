extension ViewModel {
  /// The rows of an array in the view state, observed no further than what is read of them.
  ///
  /// `model.rows.ids`, `count` and `isEmpty` observe which rows there are: a view that reads them is
  /// invalidated by insertions, removals and moves, and not by a change inside of a row. Everything
  /// else of the array is read, and observed, as a whole.
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
  /// Calling this observes which rows there are, and nothing inside of them. For long lists make
  /// those of the visible rows with ``scope(state:id:action:)``.
  ///
  /// Complexity: O(*n*) in the number of rows.
  ///
  /// - Parameters:
  ///   - rows: The rows in this one's view state.
  ///   - embed: Makes this one's action of an id and the row's action; usually an enum case.
  public func scopes<ID, RowState, RowAction>(
    state rows: KeyPath<ViewState, IdentifiedArray<ID, RowState>>,
    action embed: @escaping @MainActor (ID, RowAction) -> Action
  ) -> [ViewModel<RowState, RowAction>] {
    source.ids(rows).compactMap { scope(state: rows, id: $0, action: embed) }
  }
}

/// The rows of an array in a view state, observed no further than what is read of them.
@MainActor
public struct ObservedRows<ViewState, ID: Hashable & Sendable, Row: Sendable> {
  let source: ViewStateSource<ViewState>
  let rows: KeyPath<ViewState, IdentifiedArray<ID, Row>>

  /// The ids, in order.
  ///
  /// Complexity: O(*n*).
  public var ids: [ID] { source.ids(rows) }

  /// How many rows there are.
  public var count: Int { ids.count }

  /// Whether there is no row.
  public var isEmpty: Bool { ids.isEmpty }

  /// All rows, observed as a whole.
  public var all: IdentifiedArray<ID, Row> {
    source.observeAll()
    return source.value[keyPath: rows]
  }
}

extension ObservedRows where Row: Equatable {
  /// All rows, observed as a whole.
  public var all: IdentifiedArray<ID, Row> { source.observe(rows) }
}
