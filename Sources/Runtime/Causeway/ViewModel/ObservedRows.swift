/// The rows of an array in a view state, with separate observation of their ids.
@MainActor
public struct ObservedRows<ViewState, ID: Hashable & Sendable, Row: Sendable> {
  let source: ViewStateSource<ViewState>
  let rows: KeyPath<ViewState, IdentifiedArray<ID, Row>>

  /// The ids, in order.
  ///
  /// Complexity: O(*n*).
  public var ids: [ID] { source.rowIDs(rows) }

  /// The number of rows.
  public var count: Int { source.order(rows, \.count, kept: \.count) }

  /// Whether there are no rows.
  public var isEmpty: Bool { source.order(rows, \.isEmpty, kept: \.isEmpty) }

  /// All rows, observed as a whole.
  public var all: IdentifiedArray<ID, Row> {
    source.observeIncomparable(rows)
  }
}

extension ObservedRows where Row: Equatable {
  /// All rows, observed as a whole.
  public var all: IdentifiedArray<ID, Row> { source.observe(rows) }
}
