/// Where a view model reads its view state, and the cells of what was read.
@MainActor
@usableFromInline
final class ViewStateSource<ViewState> {
  @usableFromInline let box: StateBox<ViewState>
  @usableFromInline let observation: ObservationTable
  @usableFromInline let cells = ObservationCells()
  private lazy var whole = ObservationCell(nil)

  @usableFromInline
  init(_ box: StateBox<ViewState>, _ observation: ObservationTable) {
    self.box = box
    self.observation = observation
  }

  var value: ViewState {
    box.value
  }

  func observeAll() {
    whole.access(observation)
  }

  @inlinable
  func observe<Value: Equatable>(_ keyPath: KeyPath<ViewState, Value>) -> Value {
    box.requireReadable()
    let cell = cells.cell(keyPath) ?? makeCell(keyPath)
    cell.access(observation)
    if let place = cell.place {
      return place.address.assumingMemoryBound(to: Value.self).pointee
    }
    return box.pointer.pointee[keyPath: keyPath]
  }

  @inlinable
  func makeCell<Value: Equatable>(_ keyPath: KeyPath<ViewState, Value>) -> ObservationCell {
    let cell: ObservationCell
    if let offset = MemoryLayout<ViewState>.offset(of: keyPath) {
      let address = UnsafeRawPointer(box.pointer) + offset
      cell = ObservationCell(ObservedPlace(address.assumingMemoryBound(to: Value.self)))
    } else {
      let box = self.box
      cell = ComputedCell { box.pointer.pointee[keyPath: keyPath] }
    }
    cells.insert(cell, for: keyPath)
    return cell
  }
}
