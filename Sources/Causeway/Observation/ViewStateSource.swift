/// The source of a view model's view state, with the cells of the values that were read.
@MainActor
@usableFromInline
final class ViewStateSource<ViewState> {
  @usableFromInline let place: ViewStatePlace<ViewState>
  // Copies of parts of `place`: a read through it would copy all of it to the stack.
  @usableFromInline let owner: StateGuard
  @usableFromInline let address: UnsafePointer<ViewState>?
  @usableFromInline let row: RowPlace<ViewState>?
  @usableFromInline let observation: ObservationTable
  @usableFromInline let cells: ObservationCells

  /// - Parameter owner: Guards the state from which the state in the box is derived; the box itself
  ///   if both are the same.
  @inlinable
  convenience init(
    _ box: StateBox<ViewState>, guardedBy owner: StateGuard, _ observation: ObservationTable
  ) {
    self.init(ViewStatePlace(box, guardedBy: owner), observation, ObservationCells())
  }

  @inlinable
  init(
    _ place: ViewStatePlace<ViewState>, _ observation: ObservationTable, _ cells: ObservationCells
  ) {
    self.place = place
    owner = place.owner
    address = place.address
    row = place.row
    self.observation = observation
    self.cells = cells
  }

  /// A copy of the view state.
  @inlinable
  @inline(__always)
  var value: ViewState {
    owner.requireReadable()
    let stored = address
    let place = stored ?? movingAddress()
    defer { if stored == nil { endRead(place) } }
    return place.pointee
  }

  /// Reads a part of the view state.
  ///
  /// All reads end in one load from one address, so a caller that needs a field of the value loads
  /// only that field. The compiler turns a key path literal into an offset.
  @inlinable
  @inline(__always)
  func read<Value>(_ keyPath: KeyPath<ViewState, Value>) -> Value {
    let stored = address ?? row?.address
    let place = stored ?? makeCopy()
    defer { if stored == nil { free(place) } }
    return place.pointee[keyPath: keyPath]
  }

  /// The address of a row, or of a copy, for one read.
  @inlinable
  @inline(never)
  func movingAddress() -> UnsafePointer<ViewState> {
    row?.address ?? makeCopy()
  }

  /// Ends a read at ``movingAddress()``.
  @inlinable
  @inline(never)
  func endRead(_ place: UnsafePointer<ViewState>) {
    if place != row?.address { free(place) }
  }

  /// Copies a view state that is computed or was removed to memory, for one read.
  @inlinable
  @inline(never)
  func makeCopy() -> UnsafePointer<ViewState> {
    let copy = UnsafeMutablePointer<ViewState>.allocate(capacity: 1)
    copy.initialize(to: place.movingValue)
    return UnsafePointer(copy)
  }

  @inlinable
  @inline(never)
  func free(_ copy: UnsafePointer<ViewState>) {
    UnsafeMutablePointer(mutating: copy).deinitialize(count: 1)
    copy.deallocate()
  }

  @inlinable
  @inline(__always)
  func observeAll() {
    if observation.mayBeObserved() { cells.accessWhole(observation) }
  }

  /// Reads a property that is not comparable, and observes every publication.
  @inlinable
  @inline(__always)
  func observeIncomparable<Value>(_ keyPath: KeyPath<ViewState, Value>) -> Value {
    owner.requireReadable()
    if observation.mayBeObserved() { cells.accessIncomparable(keyPath, observation) }
    return read(keyPath)
  }

  /// Reads a property, and observes it.
  @inlinable
  @inline(__always)
  func observe<Value: Equatable>(_ keyPath: KeyPath<ViewState, Value>) -> Value {
    owner.requireReadable()
    if observation.mayBeObserved() { access(keyPath) }
    return read(keyPath)
  }

  @inlinable
  @inline(never)
  func access<Value: Equatable>(_ keyPath: KeyPath<ViewState, Value>) {
    if cells.access(keyPath, observation) { return }
    (cells.cell(keyPath) ?? makeCell(keyPath)).access(observation)
  }

  @inlinable
  func makeCell<Value: Equatable>(_ keyPath: KeyPath<ViewState, Value>) -> ObservationCell {
    let cell: ObservationCell
    if let address = place.address(keyPath) {
      cell = ObservationCell(ObservedPlace(address))
    } else {
      cell = ComputedCell(place.reader(keyPath))
    }
    cells.insert(cell, for: keyPath)
    return cell
  }
}

extension ViewStateSource {
  /// Reads a part that always exists.
  @inlinable
  func child<Part>(_ part: KeyPath<ViewState, Part>) -> ViewStateSource<Part> {
    ViewStateSource<Part>(place.child(part), observation, cells.part(part))
  }

  /// Reads a part that may be missing, and observes its presence; `nil` if it is missing.
  @inlinable
  func child<Part>(ifThere part: KeyPath<ViewState, Part?>) -> ViewStateSource<Part>? {
    let place = self.place
    return child(
      place.part(part), cells.part(part), place.reader(part) { $0 },
      isThere: place.reader(part) { $0 == nil ? nil : true })
  }

  /// Reads the rows, and observes only their ids.
  func arrangement<ID, Row>(
    _ rows: KeyPath<ViewState, IdentifiedArray<ID, Row>>
  ) -> IdentifiedArray<ID, Row> {
    place.owner.requireReadable()
    let place = self.place
    let part = cells.part(rows)
    let table = part.arrayTable(in: observation, place.rowsReader(rows))
    part.observeOrder(table, place.reader(rows))
    return place.part(rows)
  }

  /// Reads a row that may be missing, and observes its presence; `nil` if it is missing.
  @inlinable
  func child<ID, Row>(
    _ rows: KeyPath<ViewState, IdentifiedArray<ID, Row>>, id: ID
  ) -> ViewStateSource<Row>? {
    let place = self.place
    let part = cells.part(rows)
    let table = part.arrayTable(in: observation, place.rowsReader(rows))
    let row = part.row(id)
    return child(
      place.part(rows)[id: id], row, place.reader(rows) { $0[id: id] },
      place: place.row(rows, id: id),
      isThere: place.reader(rows) { $0.contains(id: id) ? true : nil },
      in: row.rowTable(in: table, ChildID(id)))
  }

  @inlinable
  func child<Part>(
    _ first: @autoclosure () -> Part?,
    _ cells: ObservationCells,
    _ current: @autoclosure () -> @MainActor () -> Part?,
    place row: @autoclosure () -> RowPlace<Part>? = nil,
    isThere: @autoclosure () -> @MainActor () -> Bool?,
    in table: ObservationTable? = nil
  ) -> ViewStateSource<Part>? {
    place.owner.requireReadable()
    let table = table ?? observation
    cells.observePresence(table, isThere())
    guard let first = first() else { return nil }
    let row = row()
    // A row of a stored array is read at its position.
    let child = place.child(first, row, row == nil ? current() : { @MainActor in nil })
    return ViewStateSource<Part>(child, table, cells)
  }
}
