/// The cells of what was read of one view state, and those of its parts that child view models show.
///
/// All child view models of one part share these cells. A view may make one each time that it is
/// drawn, and a part that it reads must not be observed once more each time.
@MainActor
@usableFromInline
final class ObservationCells {
  /// Unchecked because every access to it is within one of the methods below, on the main actor.
  @exclusivity(unchecked) private var cells = KeyPathTable<ObservationCell>()
  private var parts = KeyPathTable<ObservationCells>()
  private var rows = PurgedDictionary<AnyHashable, ObservationCells>()
  /// The table of the rows, where this part is an array of them.
  private var rowTable: ObservationTable?
  /// Whether the view state is there; made when a view first observes that.
  private var presence: ObservationCell?
  /// The ids of the rows in order, where this part is an array of them.
  private var order: ObservationCell?
  private(set) lazy var whole = ObservationCell(nil)

  nonisolated init() {}

  /// The cell of a key path, if it was read before.
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

  /// The table that the cells of rows of this part are armed in.
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

  /// Observes whether the view state is there.
  @usableFromInline
  func observePresence(
    _ table: ObservationTable, _ isThere: @autoclosure () -> @MainActor () -> Bool?
  ) {
    let cell = presence ?? ComputedCell(isThere())
    presence = cell
    cell.access(table)
  }

  /// How many cells there are, without those of parts.
  var count: Int { cells.all.count }

  /// Whether any of these is armed.
  ///
  /// Complexity: O(*n*) in the number of cells, also those of parts.
  private var isArmed: Bool {
    presence?.isArmed == true || order?.isArmed == true || cells.all.contains { $0.isArmed }
      || parts.all.contains { $0.isArmed } || rows.all.contains { $0.isArmed }
  }
}

/// The ids of an array's elements in order, compared by what the array knows of them if possible.
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
