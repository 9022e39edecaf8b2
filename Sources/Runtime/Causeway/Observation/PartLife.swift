/// The life of a removable part of a view state: from its appearance to its removal.
///
/// All view models of the part share it. If the part is removed, or replaced by another part, the
/// life is over: these view models keep the content that they showed last, and send no actions to
/// the next part. A row has a life that does not end, because a row that returns is the same row.
///
/// The view models retain the life, and the cells of the part do not. If the life still exists, a
/// view model may still show the part.
@MainActor
@usableFromInline
class PartLife {
  /// The part in the view state around it.
  final let part: AnyKeyPath
  /// The id of a screen or a row.
  final let row: (any Hashable & Sendable)?
  /// The life of the part that contains this part, if that part can be removed too.
  private final let outer: PartLife?
  /// The cells of the part.
  final let cells: ObservationCells
  /// Returns whether the part exists and was not replaced by another; `nil` for a row.
  private final let isSame: (@MainActor () -> Bool)?
  /// The table that checks whether the life has ended; `nil` for a row.
  private final let table: ObservationTable?
  /// Whether this part was removed or replaced.
  private(set) final var hasEnded = false
  /// The number of view models that were made for the part.
  ///
  /// A value that was read before the last view model was made is older than
  /// ``PartContent/latest``.
  final var count = 1
  /// Whether cells keep values without observing them.
  final var keepsValues = false

  init(
    of part: AnyKeyPath, row: (any Hashable & Sendable)?, in outer: PartLife?,
    _ cells: ObservationCells, _ table: ObservationTable, _ isSame: (@MainActor () -> Bool)?
  ) {
    self.part = part
    self.row = row
    self.outer = outer
    self.cells = cells
    self.isSame = isSame
    self.table = isSame == nil ? nil : table
    self.table?.insert(self)
  }

  isolated deinit {
    table?.remove(ObjectIdentifier(self))
    if keepsValues { cells.releaseKept() }
  }

  /// Whether this part, or a part around it, was removed or replaced.
  @usableFromInline final var isOver: Bool { hasEnded || outer?.isOver == true }

  /// Ends the life if the part is gone.
  final func check() {
    if !hasEnded, let isSame, !isSame() { hasEnded = true }
  }
}

/// A life with the content for view models whose part is gone.
@usableFromInline
final class PartContent<Part>: PartLife {
  /// The part when its last view model was made.
  @usableFromInline var latest: Part

  init(
    _ latest: Part, of part: AnyKeyPath, row: (any Hashable & Sendable)?, in outer: PartLife?,
    _ cells: ObservationCells, _ table: ObservationTable, _ isSame: (@MainActor () -> Bool)?
  ) {
    self.latest = latest
    super.init(of: part, row: row, in: outer, cells, table, isSame)
  }

  /// Updates the content for a new view model.
  func update(_ latest: Part) {
    self.latest = latest
    count += 1
  }
}
