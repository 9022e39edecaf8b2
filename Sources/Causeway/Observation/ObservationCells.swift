/// The cells of one view state, including the cells of its parts that child view models show.
///
/// All child view models of one part share these cells. A view may make a child view model in every
/// update, and each part must still be observed only once.
@MainActor
@usableFromInline
final class ObservationCells {
  /// Unchecked: only the methods below access it, on the main actor.
  @exclusivity(unchecked) private var cells = KeyPathTable<ObservationCell>()
  private var parts = KeyPathTable<ObservationCells>()
  private var rows = PurgedDictionary<AnyHashable, ObservationCells>()
  /// The observation table of the rows, if this part is an array of rows.
  private var rowTable: ObservationTable?
  /// Observes whether the view state exists; made by the first view that observes it.
  private var presence: ObservationCell?
  /// Observes the ids of the rows in order, if this part is an array of rows.
  private var order: ObservationCell?
  private(set) lazy var whole = ObservationCell(nil)

  nonisolated init() {}

  /// The cell of a key path, if the value was read before.
  @usableFromInline
  func cell(_ keyPath: AnyKeyPath) -> ObservationCell? {
    cells.value(keyPath)
  }

  @usableFromInline
  func insert(_ cell: ObservationCell, for keyPath: AnyKeyPath) {
    cells.insert(cell, for: keyPath) { $0.isArmed }
  }

  /// The cells of a part.
  @usableFromInline
  func part(_ keyPath: AnyKeyPath) -> ObservationCells {
    if let part = parts.value(keyPath) { return part }
    let part = ObservationCells()
    parts.insert(part, for: keyPath) { $0.isArmed }
    return part
  }

  /// The cells of a row of this part.
  @usableFromInline
  func row(_ id: AnyHashable) -> ObservationCells {
    if let row = rows[id] { return row }
    let row = ObservationCells()
    rows.insert(row, for: id) { $0.isArmed }
    return row
  }

  /// The table that arms the cells of this part's rows.
  @usableFromInline
  func rowTable(
    in parent: ObservationTable, version: @autoclosure () -> @MainActor () -> UInt64?
  ) -> ObservationTable {
    if let rowTable { return rowTable }
    let table = ObservationTable(rowsIn: parent, version: version())
    rowTable = table
    return table
  }

  /// Observes the ids of the rows.
  @usableFromInline
  func observeOrder<ID>(
    _ table: ObservationTable, _ order: @autoclosure () -> @MainActor () -> RowOrder<ID>?
  ) {
    let cell = self.order ?? ComputedCell(order())
    self.order = cell
    cell.access(table)
  }

  /// Observes whether the view state exists.
  @usableFromInline
  func observePresence(
    _ table: ObservationTable, _ isThere: @autoclosure () -> @MainActor () -> Bool?
  ) {
    let cell = presence ?? ComputedCell(isThere())
    presence = cell
    cell.access(table)
  }

  /// The number of cells, without the cells of parts.
  var count: Int { cells.all.count }

  /// Whether any of these cells is armed.
  ///
  /// Complexity: O(*n*) in the number of cells, including the cells of parts.
  private var isArmed: Bool {
    presence?.isArmed == true || order?.isArmed == true || cells.all.contains { $0.isArmed }
      || parts.all.contains { $0.isArmed } || rows.all.contains { $0.isArmed }
  }
}

/// The ids of an array's elements in order, compared by its arrangement number first.
@usableFromInline
struct RowOrder<ID: Hashable & Sendable>: Equatable {
  private let arrangement: UInt64
  private let ids: [ID]

  @usableFromInline
  init<Row>(_ rows: IdentifiedArray<ID, Row>) {
    arrangement = rows.arrangement
    ids = rows.ids
  }

  @usableFromInline
  static func == (left: RowOrder, right: RowOrder) -> Bool {
    left.arrangement == right.arrangement || left.ids == right.ids
  }
}
