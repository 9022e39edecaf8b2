/// The cells of what was read through one view model, by key path.
@MainActor
@usableFromInline
final class ObservationCells {
  private var cells: [AnyKeyPath: ObservationCell] = [:]
  /// The cells by the key path's object, because comparing key paths takes long.
  ///
  /// A key path that is written in the source is one object. The entries keep theirs alive.
  ///
  /// Unchecked because every access to it is within one of the methods below, on the main actor.
  @exclusivity(unchecked)
  private var known: [ObjectIdentifier: (keyPath: AnyKeyPath, cell: ObservationCell)] = [:]

  nonisolated init() {}

  /// The cell of a key path, if it was read before.
  @usableFromInline
  func cell(_ keyPath: AnyKeyPath) -> ObservationCell? {
    if let known = known[ObjectIdentifier(keyPath)] { return known.cell }
    guard let cell = cells[keyPath] else { return nil }
    know(keyPath, cell)
    return cell
  }

  @usableFromInline
  func insert(_ cell: ObservationCell, for keyPath: AnyKeyPath) {
    // Key paths that are made at run time must not fill the memory.
    if cells.count == 1024 { cells = cells.filter { $0.value.isArmed } }
    cells[keyPath] = cell
    know(keyPath, cell)
  }

  private func know(_ keyPath: AnyKeyPath, _ cell: ObservationCell) {
    if known.count == 256 { known.removeAll(keepingCapacity: true) }
    known[ObjectIdentifier(keyPath)] = (keyPath, cell)
  }
}
