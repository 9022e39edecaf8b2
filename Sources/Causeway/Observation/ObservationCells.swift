/// The cells of one view state, including the cells of its parts that child view models show.
///
/// All child view models of one part share these cells. A view may make a child view model in every
/// update, and each part must still be observed only once.
@MainActor
@usableFromInline
final class ObservationCells {
  /// Unchecked: only the methods below access it, on the main actor.
  @exclusivity(unchecked) private var cells = KeyPathTable<ObservationCell>()
  /// The cells of properties that are not comparable.
  @exclusivity(unchecked) private var incomparable = KeyPathTable<ObservationCell>()
  private var parts = KeyPathTable<ObservationCells>()
  private var rows = PurgedDictionary<AnyHashable, ObservationCells>()
  /// The observation table of this part, if the part is an array of rows, or a row.
  private var table: ObservationTable?
  /// Observes whether the view state exists; made by the first view that observes it.
  private var presence: ObservationCell?
  /// Observes the ids of the rows in order, if this part is an array of rows.
  private var order: ObservationCell?
  /// Observes the whole view state; made by the first view that observes it.
  ///
  /// Unchecked: every access is a single load or store on the main actor.
  @exclusivity(unchecked) private var whole: ObservationCell?

  @usableFromInline
  nonisolated init() {}

  /// Observes a property.
  ///
  /// Returns false and observes nothing if it was not read with this key path object before.
  @usableFromInline
  func access(_ keyPath: AnyKeyPath, _ table: ObservationTable) -> Bool {
    guard let cell = cells.known(keyPath)?.takeUnretainedValue() else { return false }
    cell.access(table)
    return true
  }

  /// Observes a property that is not comparable.
  @usableFromInline
  @inline(never)
  func accessIncomparable(_ keyPath: AnyKeyPath, _ table: ObservationTable) {
    if let cell = incomparable.known(keyPath)?.takeUnretainedValue() { return cell.access(table) }
    if let cell = incomparable.value(keyPath) { return cell.access(table) }
    let cell = ObservationCell(nil)
    incomparable.insert(cell, for: keyPath) { $0.isArmed }
    cell.access(table)
  }

  /// Observes the whole view state.
  @usableFromInline
  func accessWhole(_ table: ObservationTable) {
    if let whole { return whole.access(table) }
    let whole = ObservationCell(nil)
    self.whole = whole
    whole.access(table)
  }

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

  /// The table of this part, which is an array of rows.
  @usableFromInline
  func arrayTable(
    in parent: ObservationTable, _ array: @autoclosure () -> RowsReader
  ) -> ObservationTable {
    if let table { return table }
    let table = ObservationTable(array(), in: parent)
    self.table = table
    return table
  }

  /// The table that arms the cells of this part, which is a row.
  @usableFromInline
  func rowTable(in array: ObservationTable, _ id: @autoclosure () -> ChildID) -> ObservationTable {
    if let table { return table }
    let table = ObservationTable(row: id(), in: array)
    self.table = table
    return table
  }

  /// Observes the ids of the rows in order.
  func observeOrder<ID, Row>(
    _ table: ObservationTable, _ rows: @autoclosure () -> @MainActor () -> IdentifiedArray<ID, Row>?
  ) {
    let cell = self.order ?? OrderCell(rows())
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
      || incomparable.all.contains { $0.isArmed }
      || parts.all.contains { $0.isArmed } || rows.all.contains { $0.isArmed }
  }
}

/// The cell of the ids of an array's elements in order.
///
/// It compares the array's arrangement number first. If the number is equal, the ids are not made
/// from the elements.
private final class OrderCell<ID: Hashable & Sendable, Row: Sendable>: ObservationCell {
  /// Returns `nil` if the array does not exist.
  private let read: @MainActor () -> IdentifiedArray<ID, Row>?
  private var arrangement: UInt64?
  private var ids: [ID]?

  init(_ read: @escaping @MainActor () -> IdentifiedArray<ID, Row>?) {
    self.read = read
    super.init(nil)
  }

  override func remember() {
    let rows = read()
    arrangement = rows?.changes.arrangement
    ids = rows?.ids
  }

  override func isDifferent() -> Bool {
    let rows = read()
    if rows?.changes.arrangement == arrangement { return false }
    if rows?.ids != ids { return true }
    arrangement = rows?.changes.arrangement
    return false
  }

  override func forget() { ids = nil }
}
