/// Where a view model reads its view state, and the cells of what was read.
@MainActor
@usableFromInline
final class ViewStateSource<ViewState> {
  /// Keeps the memory of the state alive.
  @usableFromInline let owner: StateGuard
  /// Where the view state is; `nil` for one that is computed from its parent's.
  @usableFromInline let place: UnsafePointer<ViewState>?
  @usableFromInline let read: @MainActor () -> ViewState
  @usableFromInline let observation: ObservationTable
  @usableFromInline let cells = ObservationCells()
  private lazy var whole = ObservationCell(nil)

  @usableFromInline
  convenience init(_ box: StateBox<ViewState>, _ observation: ObservationTable) {
    self.init(box, UnsafePointer(box.pointer), observation) { box.value }
  }

  init(
    _ owner: StateGuard,
    _ place: UnsafePointer<ViewState>?,
    _ observation: ObservationTable,
    _ read: @escaping @MainActor () -> ViewState
  ) {
    self.owner = owner
    self.place = place
    self.observation = observation
    self.read = read
  }

  var value: ViewState {
    owner.requireReadable()
    return read()
  }

  /// A part of the view state, without a copy of all of it where that is stored.
  func part<Part>(_ keyPath: KeyPath<ViewState, Part>) -> Part {
    if let place { place.pointee[keyPath: keyPath] } else { read()[keyPath: keyPath] }
  }

  func observeAll() {
    whole.access(observation)
  }

  @inlinable
  func observe<Value: Equatable>(_ keyPath: KeyPath<ViewState, Value>) -> Value {
    owner.requireReadable()
    let cell = cells.cell(keyPath) ?? makeCell(keyPath)
    cell.access(observation)
    if let place = cell.place {
      return place.address.assumingMemoryBound(to: Value.self).pointee
    }
    return place?.pointee[keyPath: keyPath] ?? read()[keyPath: keyPath]
  }

  @inlinable
  func makeCell<Value: Equatable>(_ keyPath: KeyPath<ViewState, Value>) -> ObservationCell {
    let cell: ObservationCell
    if let address = address(keyPath) {
      cell = ObservationCell(ObservedPlace(address))
    } else {
      let read = self.read
      cell = ComputedCell { read()[keyPath: keyPath] }
    }
    cells.insert(cell, for: keyPath)
    return cell
  }

  /// Where a stored part of the view state is.
  @inlinable
  func address<Value>(_ keyPath: KeyPath<ViewState, Value>) -> UnsafePointer<Value>? {
    guard let place, let offset = MemoryLayout<ViewState>.offset(of: keyPath) else { return nil }
    return (UnsafeRawPointer(place) + offset).assumingMemoryBound(to: Value.self)
  }
}
