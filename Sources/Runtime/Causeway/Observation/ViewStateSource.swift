/// The source of a view model's view state, with the cells of the values that were read.
@MainActor
@usableFromInline
final class ViewStateSource<ViewState> {
  // The members of `place`, stored separately. A read of `place` would copy all of them to the
  // stack.
  @usableFromInline let owner: StateGuard
  @usableFromInline let memory: AnyObject
  @usableFromInline let address: UnsafePointer<ViewState>?
  @usableFromInline let row: RowPlace<ViewState>?
  @usableFromInline let moving: MovingPlace<ViewState>?
  /// Makes the table with the first read, because many view models are made and never read.
  @usableFromInline let tableOwner: any TableOwner
  // Unchecked, like the next property: every access is a single load or store on the main actor.
  /// The table, which its owner keeps; `nil` before the first read.
  ///
  /// Not retained here: a read would spend much of its time on reference counts.
  @exclusivity(unchecked) @usableFromInline var madeTable: Unmanaged<ObservationTable>?
  @exclusivity(unchecked) @usableFromInline var madeCells: ObservationCells?

  /// Makes the source of a whole view state.
  ///
  /// - Parameter owner: Guards the state from which the state in the box is derived; the box itself
  ///   if both are the same.
  @inlinable
  init(_ box: StateBox<ViewState>, guardedBy owner: StateGuard, _ tableOwner: any TableOwner) {
    self.owner = owner
    memory = box
    address = UnsafePointer(box.pointer)
    row = nil
    moving = nil
    self.tableOwner = tableOwner
  }

  /// Makes the source of a part.
  @inlinable
  init(
    _ place: ViewStatePlace<ViewState>, _ observation: ObservationTable, _ cells: ObservationCells
  ) {
    owner = place.owner
    memory = place.memory
    address = place.address
    row = place.row
    moving = place.moving
    tableOwner = observation
    madeTable = .passUnretained(observation)
    madeCells = cells
  }

  @inlinable var place: ViewStatePlace<ViewState> {
    ViewStatePlace(owner: owner, memory: memory, address: address, row: row, moving: moving)
  }

  /// The table that compares the observed values.
  @inlinable var observation: ObservationTable { unretainedTable.takeUnretainedValue() }

  /// The table, kept by its owner: a read spends much of its time on reference counts.
  @inlinable var unretainedTable: Unmanaged<ObservationTable> { madeTable ?? makeTable() }

  @usableFromInline
  @inline(never)
  func makeTable() -> Unmanaged<ObservationTable> {
    let table = Unmanaged.passUnretained(tableOwner.observation)
    madeTable = table
    return table
  }

  /// Whether an observation may be running; if not, a read needs no cell.
  @inlinable
  @inline(__always)
  func mayBeObserved() -> Bool { ObservationTable.mayBeObserved(unretainedTable) }

  /// The cells of the values that were observed.
  @inlinable var cells: ObservationCells { madeCells ?? makeCells() }

  @usableFromInline
  @inline(never)
  func makeCells() -> ObservationCells {
    let cells = ObservationCells()
    madeCells = cells
    return cells
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

  /// Makes a copy of a view state that is computed or was removed, for one read.
  @inlinable
  @inline(never)
  func makeCopy() -> UnsafePointer<ViewState> {
    let copy = UnsafeMutablePointer<ViewState>.allocate(capacity: 1)
    let value = place.currentValue
    if let value, place.life != nil { keepWhole(value) }
    copy.initialize(to: value ?? keptWhole ?? place.lastValue)
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
    if mayBeObserved() { accessWhole() }
  }

  @usableFromInline
  @inline(never)
  func accessWhole() {
    cells.accessWhole(observation, makeIncomparableCell { $0 })
  }

  /// Reads a property that is not comparable, and observes every publication.
  @inlinable
  @inline(__always)
  func observeIncomparable<Value>(_ keyPath: KeyPath<ViewState, Value>) -> Value {
    owner.requireReadable()
    if mayBeObserved() { accessIncomparable(keyPath) }
    // The read ends in one load from one address, so a caller that needs a field of the value loads
    // only that field. The compiler turns a key path literal into an offset.
    if let place = address ?? row?.address { return place.pointee[keyPath: keyPath] }
    return readIncomparable(keyPath)
  }

  @usableFromInline
  @inline(never)
  func accessIncomparable<Value>(_ keyPath: KeyPath<ViewState, Value>) {
    cells.accessIncomparable(
      keyPath, observation, makeIncomparableCell { $0[keyPath: keyPath] })
  }

  /// Reads a property, and observes it.
  @inlinable
  @inline(__always)
  func observe<Value: Equatable>(_ keyPath: KeyPath<ViewState, Value>) -> Value {
    owner.requireReadable()
    if mayBeObserved() { access(keyPath) }
    if let place = address ?? row?.address { return place.pointee[keyPath: keyPath] }
    return read(keyPath)
  }

  @inlinable
  @inline(never)
  func access<Value: Equatable>(_ keyPath: KeyPath<ViewState, Value>) {
    let (cells, table) = (cells, unretainedTable)
    if !cells.access(keyPath, table) { (cells.cell(keyPath) ?? makeCell(keyPath)).access(table) }
  }

  @inlinable
  func makeCell<Value: Equatable>(_ keyPath: KeyPath<ViewState, Value>) -> ObservationCell {
    let cell: ObservationCell
    if let address = place.address(keyPath) {
      cell = ObservationCell(ObservedPlace(address))
    } else if let life = place.life {
      cell = PartCell(life, place.reader(keyPath)) { Sameness.areSame($0, $1) }
    } else {
      cell = ComputedCell(place.reader(keyPath))
    }
    cells.insert(cell, for: keyPath)
    return cell
  }
}

// Reads of parts that are computed or can be removed.
extension ViewStateSource {
  /// Reads a property of a view state without an address.
  ///
  /// If the view state was removed, the result is the value that was read last.
  @inlinable
  @inline(never)
  func read<Value: Equatable>(_ keyPath: KeyPath<ViewState, Value>) -> Value {
    let value = place.currentValue?[keyPath: keyPath]
    if place.life == nil { return value ?? place.lastValue[keyPath: keyPath] }
    if let value {
      ((cells.cell(keyPath) ?? makeCell(keyPath)) as? PartCell<Value>)?.keep(value)
      return value
    }
    return (cells.cell(keyPath) as? PartCell<Value>)?.kept ?? place.lastValue[keyPath: keyPath]
  }

  /// Reads a property that is not comparable, in the same way.
  @usableFromInline
  @inline(never)
  func readIncomparable<Value>(_ keyPath: KeyPath<ViewState, Value>) -> Value {
    if let value = place.currentValue { return value[keyPath: keyPath] }
    return (cells.incomparableCell(keyPath) as? PartCell<Value>)?.kept
      ?? place.lastValue[keyPath: keyPath]
  }

  /// Keeps the view state for reads after its removal.
  @usableFromInline
  func keepWhole(_ value: ViewState) {
    cells.keepWhole(value, makeIncomparableCell { $0 })
  }

  /// The view state when it was read last as a whole.
  @usableFromInline var keptWhole: ViewState? { (cells.whole as? PartCell<ViewState>)?.kept }

  private func makeIncomparableCell<Value>(
    _ read: @escaping @MainActor (ViewState) -> Value
  ) -> ObservationCell {
    guard let life = place.life else { return ObservationCell(nil) }
    return PartCell(life, place.reader(\.self) { read($0) }, areEqual: nil)
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
    let current = place.reader(part) { $0 }
    let place = self.place
    return child(
      part, cells: cells.part(part, isReplaced: !place.isMissing), observation, now: current(),
      current, last: place.lastValue[keyPath: part],
      isThere: { current() != nil },
      isSame: { first in
        // A new id means a new part.
        let isDerived = place.owner !== place.memory
        if isDerived, let areSame = DerivedIdentity<Part>() {
          var last = first
          return {
            guard let now = current(), areSame(last, now) else { return false }
            last = now
            return true
          }
        }
        guard let identity = PartIdentity<Part>(withBirth: !isDerived) else {
          return { current() != nil }
        }
        let id = identity.id(of: first)
        return { current().map { identity.id(of: $0) } == id }
      })
  }

  /// Reads the order of the rows, and observes only their ids.
  ///
  /// - Parameters:
  ///   - get: Reads the result from the rows.
  ///   - getKept: Reads the result from the last ids, if the view state is gone.
  func order<ID, Row, Result>(
    _ rows: KeyPath<ViewState, IdentifiedArray<ID, Row>>,
    _ get: (IdentifiedArray<ID, Row>) -> Result, kept getKept: ([ID]) -> Result
  ) -> Result {
    place.owner.requireReadable()
    let place = self.place
    let part = cells.part(rows)
    let table = part.arrayTable(in: observation, place.rowsReader(rows))
    part.observeOrder(table, place.reader(rows), place.life)
    if let address = place.address(rows) { return get(address.pointee) }
    if let current = place.currentValue { return get(current[keyPath: rows]) }
    return part.keptOrder().map(getKept) ?? get(place.lastValue[keyPath: rows])
  }

  /// The ids of the rows in order.
  func rowIDs<ID, Row>(_ rows: KeyPath<ViewState, IdentifiedArray<ID, Row>>) -> [ID] {
    order(rows, \.ids) { $0 }
  }

  /// Reads a row that may be missing, and observes its presence; `nil` if it is missing.
  ///
  /// - Parameter birth: Returns the birth of a screen; `nil` for other rows.
  @inlinable
  func child<ID, Row>(
    _ rows: KeyPath<ViewState, IdentifiedArray<ID, Row>>, id: ID,
    birth: (@MainActor (Row) -> RowBirth)? = nil
  ) -> ViewStateSource<Row>? {
    let place = self.place
    let part = cells.part(rows)
    let table = part.arrayTable(in: observation, place.rowsReader(rows))
    let row = part.row(id, isReplaced: !place.isMissing)
    return child(
      rows, row: id, cells: row, row.rowTable(in: table, ChildID(id)), now: place.row(rows, id: id),
      place.reader(rows) { $0[id: id] }, last: place.lastValue[keyPath: rows][id: id],
      // The life of a row does not end. If the life of a part around it ends, the row has no
      // address.
      place: { place.row(rows, id: id, life: birth == nil ? nil : $0) },
      isThere: place.contains(rows, id),
      isSame: { first in
        guard let birth else { return nil }
        let current = place.reader(rows) { $0[id: id] }
        var last = birth(first)
        return {
          guard let now = current().map(birth), last.isSame(as: now) else { return false }
          last = now
          return true
        }
      })
  }

  /// Reads a removable part, and observes its presence.
  ///
  /// - Parameters:
  ///   - part: The part in the view state.
  ///   - id: The id of a row.
  ///   - cells: The cells of the part.
  ///   - table: The table that compares its cells.
  ///   - now: The part; `nil` if it does not exist.
  ///   - current: Returns the part at any time; not used for a row with an address.
  ///   - last: The part in the last content of the view state, if the view state does not exist any
  ///     more.
  ///   - row: Returns the place of a row with an address.
  ///   - isThere: Returns whether the part exists.
  ///   - isSame: Returns a closure that tells whether the part is still the same, neither removed
  ///     nor replaced; `nil` for a row.
  @inlinable
  func child<Part>(
    _ part: AnyKeyPath,
    row id: (any Hashable & Sendable)? = nil,
    cells: ObservationCells,
    _ table: ObservationTable,
    now: @autoclosure () -> Part?,
    _ current: @autoclosure () -> @MainActor () -> Part?,
    last: @autoclosure () -> Part?,
    place row: (PartLife) -> RowPlace<Part>? = { _ in nil },
    isThere: @autoclosure () -> @MainActor () -> Bool,
    isSame: (Part) -> (@MainActor () -> Bool)?
  ) -> ViewStateSource<Part>? {
    place.owner.requireReadable()
    cells.observePresence(table, in: place.life, place.presence, isThere())
    let now = now()
    let isGone = now == nil && place.isMissing
    guard
      let life = cells.life(
        of: part, row: id, in: place.life, table, isGone ? last() : now, isLast: isGone, isSame)
    else { return nil }
    return ViewStateSource<Part>(place.child(life, row(life), current()), table, cells)
  }
}
