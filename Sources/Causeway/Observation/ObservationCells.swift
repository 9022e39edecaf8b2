/// The cells of what was read of one view state, and those of its parts that child view models show.
///
/// Whoever makes a child view model of the same part again gets the same cells. A view may do so
/// each time that it is drawn, and what it reads must not be observed once more each time.
@MainActor
@usableFromInline
final class ObservationCells {
  /// Unchecked because every access to it is within one of the methods below, on the main actor.
  @exclusivity(unchecked) private var cells = KeyPathTable<ObservationCell>()
  private var parts = KeyPathTable<ObservationCells>()
  private var rows = PurgedDictionary<AnyHashable, ObservationCells>()
  /// Whether the view state is there; made when somebody wants to know.
  private var presence: ObservationCell?
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
    presence?.isArmed == true || cells.all.contains { $0.isArmed }
      || parts.all.contains { $0.isArmed } || rows.all.contains { $0.isArmed }
  }
}
