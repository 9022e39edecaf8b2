/// The source of a view model's view state, with the cells of the values that were read.
@MainActor
@usableFromInline
final class ViewStateSource<ViewState> {
  @usableFromInline let place: ViewStatePlace<ViewState>
  @usableFromInline let observation: ObservationTable
  @usableFromInline let cells: ObservationCells

  /// - Parameter owner: Guards the state from which the state in the box is derived; the box itself
  ///   if both are the same.
  @usableFromInline
  convenience init(
    _ box: StateBox<ViewState>, guardedBy owner: StateGuard, _ observation: ObservationTable
  ) {
    self.init(ViewStatePlace(box, guardedBy: owner), observation, ObservationCells())
  }

  @usableFromInline
  init(
    _ place: ViewStatePlace<ViewState>, _ observation: ObservationTable, _ cells: ObservationCells
  ) {
    self.place = place
    self.observation = observation
    self.cells = cells
  }

  @inlinable
  var value: ViewState {
    place.owner.requireReadable()
    return place.value
  }

  @inlinable
  func observeAll() {
    cells.accessWhole(observation)
  }

  /// Reads a property that is not comparable, and observes every publication.
  @inlinable
  func observeIncomparable<Value>(_ keyPath: KeyPath<ViewState, Value>) -> Value {
    place.owner.requireReadable()
    let offset = cells.accessIncomparable(keyPath, observation)
    if offset >= 0, let value = place.stored(offset, as: Value.self) { return value }
    if offset < 0 {
      let offset = MemoryLayout<ViewState>.offset(of: keyPath) ?? -1
      cells.incomparableCell(keyPath, offset: offset).access(observation)
    }
    return place.part(keyPath)
  }

  @inlinable
  func observe<Value: Equatable>(_ keyPath: KeyPath<ViewState, Value>) -> Value {
    place.owner.requireReadable()
    let offset = cells.access(keyPath, observation)
    if offset >= 0, let value = place.stored(offset, as: Value.self) { return value }
    return observe(keyPath, isObserved: offset >= 0)
  }

  /// Observes a property that is read for the first time, that is computed, or that is missing now.
  @inlinable
  @inline(never)
  func observe<Value: Equatable>(
    _ keyPath: KeyPath<ViewState, Value>, isObserved: Bool
  ) -> Value {
    if !isObserved { (cells.cell(keyPath) ?? makeCell(keyPath)).access(observation) }
    return place.part(keyPath)
  }

  @inlinable
  func makeCell<Value: Equatable>(_ keyPath: KeyPath<ViewState, Value>) -> ObservationCell {
    let cell: ObservationCell
    let offset = MemoryLayout<ViewState>.offset(of: keyPath) ?? -1
    if let address = place.address(keyPath) {
      cell = ObservationCell(ObservedPlace(address), offset: offset)
    } else {
      cell = ComputedCell(place.reader(keyPath), offset: offset)
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
      locate: place.locator(rows, id: id),
      isThere: place.reader(rows) { $0.contains(id: id) ? true : nil },
      in: row.rowTable(in: table, ChildID(id)))
  }

  @inlinable
  func child<Part>(
    _ first: @autoclosure () -> Part?,
    _ cells: ObservationCells,
    _ current: @autoclosure () -> @MainActor () -> Part?,
    locate: @autoclosure () -> ViewStatePlace<Part>.Locate? = nil,
    isThere: @autoclosure () -> @MainActor () -> Bool?,
    in table: ObservationTable? = nil
  ) -> ViewStateSource<Part>? {
    place.owner.requireReadable()
    let table = table ?? observation
    cells.observePresence(table, isThere())
    guard let first = first() else { return nil }
    return ViewStateSource<Part>(place.child(first, locate(), current()), table, cells)
  }
}
