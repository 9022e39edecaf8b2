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
  private var order: OrderOfRows?
  /// Observes the whole view state; made by the first view that observes it.
  ///
  /// Unchecked: every access is a single load or store on the main actor.
  @exclusivity(unchecked) private(set) var whole: ObservationCell?
  /// The life of this part, while a view model shows it; `nil` for a part that always exists.
  private(set) weak var life: PartLife?

  @usableFromInline
  nonisolated init() {}

  /// Observes a property.
  ///
  /// Returns false and observes nothing if the property was not read with this key path object
  /// before.
  ///
  /// - Parameter table: Kept by the caller.
  @usableFromInline
  func access(_ keyPath: AnyKeyPath, _ table: Unmanaged<ObservationTable>) -> Bool {
    guard let cell = cells.known(keyPath)?.takeUnretainedValue() else { return false }
    cell.access(table)
    return true
  }

  /// Observes a property that is not comparable.
  @usableFromInline
  @inline(never)
  func accessIncomparable(
    _ keyPath: AnyKeyPath, _ table: ObservationTable, _ make: @autoclosure () -> ObservationCell
  ) {
    let table = Unmanaged.passUnretained(table)
    if let cell = incomparable.known(keyPath)?.takeUnretainedValue() { return cell.access(table) }
    if let cell = incomparable.value(keyPath) { return cell.access(table) }
    let cell = make()
    incomparable.insert(cell, for: keyPath) { $0.isArmed }
    cell.access(table)
  }

  /// The cell of a property that is not comparable, if it was observed before.
  func incomparableCell(_ keyPath: AnyKeyPath) -> ObservationCell? {
    incomparable.value(keyPath)
  }

  /// Observes the whole view state.
  func accessWhole(_ table: ObservationTable, _ make: @autoclosure () -> ObservationCell) {
    let whole = self.whole ?? make()
    self.whole = whole
    whole.access(.passUnretained(table))
  }

  /// Keeps the whole view state, which was read outside of an observation.
  func keepWhole<ViewState>(_ value: ViewState, _ make: @autoclosure () -> ObservationCell) {
    let whole = self.whole ?? make()
    self.whole = whole
    (whole as? PartCell<ViewState>)?.keepWhole(value)
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

  /// The cells of a removable part.
  ///
  /// - Parameter isReplaced: Whether a part whose life has ended gets new cells; false if the view
  ///   state around the part was removed too.
  @usableFromInline
  func part(_ keyPath: AnyKeyPath, isReplaced: @autoclosure () -> Bool) -> ObservationCells {
    let part = part(keyPath)
    guard part.life?.hasEnded == true, isReplaced() else { return part }
    let next = ObservationCells()
    parts.insert(next, for: keyPath) { $0.isArmed }
    return next
  }

  /// The cells of a row of this part.
  @usableFromInline
  func row(_ id: AnyHashable, isReplaced: @autoclosure () -> Bool = false) -> ObservationCells {
    if let row = rows[id], row.life?.hasEnded != true || !isReplaced() { return row }
    let row = ObservationCells()
    rows.insert(row, for: id) { $0.isArmed }
    return row
  }

  /// The life of this part, with the content for a new view model; `nil` if the part is missing.
  ///
  /// - Parameters:
  ///   - content: The part; `nil` if it does not exist.
  ///   - isLast: Whether the part was removed and this is its last content.
  ///   - isSame: See ``PartLife``.
  @usableFromInline
  func life<Part>(
    of part: AnyKeyPath, row: (any Hashable & Sendable)?, in outer: PartLife?,
    _ table: ObservationTable, _ content: Part?, isLast: Bool,
    _ isSame: (Part) -> (@MainActor () -> Bool)?
  ) -> PartContent<Part>? {
    if let known = self.life as? PartContent<Part>, content != nil || isLast {
      if let content, !isLast { known.update(content) }
      return known
    }
    guard let content else { return nil }
    let new = PartContent(content, of: part, row: row, in: outer, self, table, isSame(content))
    life = new
    return new
  }

  /// Releases the values that cells keep without an observation.
  ///
  /// Complexity: O(*n*) in the number of cells, including the cells of parts.
  func releaseKept() {
    for cell in cells.all { cell.releaseKept() }
    for cell in incomparable.all { cell.releaseKept() }
    order?.releaseKept()
    whole?.releaseKept()
    for part in parts.all where part.life == nil { part.releaseKept() }
    for row in rows.all where row.life == nil { row.releaseKept() }
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
    _ table: ObservationTable,
    _ rows: @autoclosure () -> @MainActor () -> IdentifiedArray<ID, Row>?, _ life: PartLife?
  ) {
    let cell = self.order ?? OrderCell(rows(), life?.cells)
    self.order = cell
    cell.access(.passUnretained(table))
  }

  /// The ids of the rows when they were observed last.
  func keptOrder<ID>() -> [ID]? { order?.keptIDs as? [ID] }

  /// Observes whether the view state exists.
  @usableFromInline
  func observePresence(
    _ table: ObservationTable, in outer: PartLife?,
    _ isOuterThere: @autoclosure () -> (@MainActor () -> Bool)?,
    _ isThere: @autoclosure () -> @MainActor () -> Bool
  ) {
    let cell = presence ?? PresenceCell(self, in: outer?.cells, isOuterThere(), isThere())
    presence = cell
    cell.access(.passUnretained(table))
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

/// The cell of the ids of rows, without their type.
private class OrderOfRows: ObservationCell {
  /// The ids when they were read last, an array; `nil` if they are not kept.
  var keptIDs: Any? { nil }
}

/// The cell of the ids of an array's elements in order.
///
/// It compares the array's arrangement number first. If the number is equal, the ids are not made
/// from the elements.
private final class OrderCell<ID: Hashable & Sendable, Row: Sendable>: OrderOfRows {
  /// Returns `nil` if the array does not exist.
  private let read: @MainActor () -> IdentifiedArray<ID, Row>?
  private var arrangement: UInt64?
  private var ids: [ID]?
  /// The cells of the removable part that contains the rows.
  private weak var part: ObservationCells?

  init(_ read: @escaping @MainActor () -> IdentifiedArray<ID, Row>?, _ part: ObservationCells?) {
    self.read = read
    self.part = part
    super.init(nil)
  }

  override var keptIDs: Any? { ids }

  override func remember() {
    guard let rows = read() else { return }
    arrangement = rows.changes.arrangement
    ids = rows.ids
  }

  override func isDifferent() -> Bool {
    // A view of removed rows shows the rows that it showed last.
    let rows = read()
    wasMissing = rows == nil
    guard let rows else { return false }
    if rows.changes.arrangement == arrangement { return false }
    if rows.ids != ids { return true }
    arrangement = rows.changes.arrangement
    return false
  }

  override var isGone: Bool {
    guard let life = part?.life else { return read() == nil }
    return life.isOver
  }

  override func forget() {
    if let life = part?.life { life.keepsValues = true } else { ids = nil }
  }

  override func releaseKept() {
    if !isArmed { ids = nil }
  }
}
