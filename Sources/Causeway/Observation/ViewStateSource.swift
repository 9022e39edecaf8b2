/// Where a view model reads its view state, and the cells of what was read.
@MainActor
@usableFromInline
final class ViewStateSource<ViewState> {
  private let box: StateBox<ViewState>
  let observation: ObservationTable
  private var cells: [AnyKeyPath: ObservationCell] = [:]
  private lazy var whole = ObservationCell()

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

  func observe<Value: Equatable>(_ keyPath: KeyPath<ViewState, Value>) -> Value {
    box.requireReadable()
    cell(keyPath).access(observation)
    return box.pointer.pointee[keyPath: keyPath]
  }

  private func cell<Value: Equatable>(_ keyPath: KeyPath<ViewState, Value>) -> ObservationCell {
    if let cell = cells[keyPath] { return cell }
    let box = self.box
    let cell: ObservationCell
    if let offset = MemoryLayout<ViewState>.offset(of: keyPath) {
      let address = UnsafeRawPointer(box.pointer) + offset
      cell = StoredCell(address.assumingMemoryBound(to: Value.self))
    } else {
      cell = ComputedCell { box.pointer.pointee[keyPath: keyPath] }
    }
    cells[keyPath] = cell
    return cell
  }
}
