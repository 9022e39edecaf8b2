/// The location from which a view state is read.
///
/// It keeps the memory of the state alive, but no observers.
@MainActor
@usableFromInline
struct ViewStatePlace<ViewState> {
  /// Guards the state against reads at the wrong time.
  @usableFromInline let owner: StateGuard
  @usableFromInline let memory: AnyObject
  /// The address of the view state; `nil` if the view state is computed or can be removed.
  @usableFromInline let address: UnsafePointer<ViewState>?
  /// The place in a stored array; `nil` if the view state is not a row of such an array.
  @usableFromInline let row: RowPlace<ViewState>?
  /// How to find the view state; `nil` if it has a fixed address.
  @usableFromInline let moving: MovingPlace<ViewState>?

  @usableFromInline
  typealias Locate = @MainActor (_ body: (UnsafePointer<ViewState>) -> Void) -> Bool

  /// Makes the place of a view state that always exists.
  @inlinable
  init(_ box: StateBox<ViewState>, guardedBy owner: StateGuard) {
    self.init(UnsafePointer(box.pointer), of: box, guardedBy: owner)
  }

  /// Makes the place of a view state at a fixed address.
  @inlinable
  init(_ address: UnsafePointer<ViewState>, of memory: AnyObject, guardedBy owner: StateGuard) {
    self.init(owner: owner, memory: memory, address: address, row: nil, moving: nil)
  }

  /// Makes the place of a part of another view state, without a fixed address.
  @inlinable
  init<Parent>(
    _ parent: ViewStatePlace<Parent>,
    _ locate: Locate?,
    row: RowPlace<ViewState>? = nil,
    life: PartLife?,
    _ current: @escaping @MainActor () -> ViewState?,
    _ last: @escaping @MainActor () -> ViewState
  ) {
    self.init(
      owner: parent.owner, memory: parent.memory, address: nil, row: row,
      moving: MovingPlace(locate: locate, current: current, last: last, life: life))
  }

  @inlinable
  init(
    owner: StateGuard, memory: AnyObject, address: UnsafePointer<ViewState>?,
    row: RowPlace<ViewState>?, moving: MovingPlace<ViewState>?
  ) {
    self.owner = owner
    self.memory = memory
    self.address = address
    self.row = row
    self.moving = moving
  }

  /// The life of the removable part that contains the view state; `nil` if there is none.
  @inlinable var life: PartLife? { moving?.life }

  /// Returns the view state if it has no fixed address.
  @inlinable
  @inline(never)
  var movingValue: ViewState {
    currentValue ?? lastValue
  }

  /// Returns the current view state, if it has no fixed address; `nil` while it does not exist.
  @inlinable
  var currentValue: ViewState? {
    if let row { return row.address?.pointee }
    return moving?.current()
  }

  /// Whether the view state was removed.
  @inlinable
  var isMissing: Bool { address == nil && currentValue == nil }

  /// Returns a closure that tells whether the view state exists; `nil` if it always does.
  @usableFromInline
  var presence: (@MainActor () -> Bool)? {
    if life == nil { return nil }
    let read = reader(\.self) { _ in true }
    return { read() == true }
  }

  /// Returns the substitute for a view state that does not exist.
  @inlinable
  var lastValue: ViewState {
    guard let moving else { preconditionFailure("The view state has an address.") }
    return moving.last()
  }

  @inlinable
  static func part<Part>(
    of address: UnsafePointer<ViewState>, _ offset: Int, as type: Part.Type
  ) -> UnsafePointer<Part> {
    (UnsafeRawPointer(address) + offset).assumingMemoryBound(to: Part.self)
  }

  /// Reads a part of the view state.
  ///
  /// A stored view state is not copied as a whole.
  @inlinable
  func part<Part>(_ keyPath: KeyPath<ViewState, Part>) -> Part {
    if let address { return address.pointee[keyPath: keyPath] }
    if let address = row?.address { return address.pointee[keyPath: keyPath] }
    return movingValue[keyPath: keyPath]
  }

  /// The address of a stored part of the view state.
  @inlinable
  func address<Part>(_ keyPath: KeyPath<ViewState, Part>) -> UnsafePointer<Part>? {
    guard let address, let offset = MemoryLayout<ViewState>.offset(of: keyPath) else { return nil }
    return Self.part(of: address, offset, as: Part.self)
  }

  /// Returns a closure that locates a stored part of a view state without a fixed address.
  @inlinable
  func locator<Part>(_ keyPath: KeyPath<ViewState, Part>) -> ViewStatePlace<Part>.Locate? {
    if address != nil || (row == nil && moving?.locate == nil) { return nil }
    guard let offset = MemoryLayout<ViewState>.offset(of: keyPath) else { return nil }
    if let row {
      return { body in
        guard let address = row.address else { return false }
        body(Self.part(of: address, offset, as: Part.self))
        return true
      }
    }
    guard let locate = moving?.locate else { return nil }
    return { body in locate { body(Self.part(of: $0, offset, as: Part.self)) } }
  }

  /// The place of a row of a stored array.
  @inlinable
  func row<ID, Row>(
    _ rows: KeyPath<ViewState, IdentifiedArray<ID, Row>>, id: ID, life: PartLife?
  ) -> RowPlace<Row>? {
    address(rows).flatMap { IdentifiedRowPlace($0, id, life) }
  }

  /// Returns a row; `nil` if it does not exist.
  @inlinable
  func row<ID, Row>(_ rows: KeyPath<ViewState, IdentifiedArray<ID, Row>>, id: ID) -> Row? {
    if let address = address(rows) { return address.pointee[id: id] }
    if let address { return address.pointee[keyPath: rows][id: id] }
    return currentValue?[keyPath: rows][id: id]
  }

  /// Returns a closure that reads a part; the closure returns `nil` while the view state does not
  /// exist.
  ///
  /// The closure does not keep the memory alive. Places use it. Observed parts use it too, when the
  /// runtime that owns the state compares them.
  @inlinable
  func reader<Part>(_ keyPath: KeyPath<ViewState, Part>) -> @MainActor () -> Part? {
    reader(keyPath) { $0 }
  }

  /// Returns a closure that reads a value from a part in the same way.
  @inlinable
  func reader<Part, Value>(
    _ keyPath: KeyPath<ViewState, Part>, _ get: @escaping @MainActor (Part) -> Value?
  ) -> @MainActor () -> Value? {
    if let part = address(keyPath) { return { get(part.pointee) } }
    if let address { return { get(address.pointee[keyPath: keyPath]) } }
    if let row {
      return {
        guard let address = row.address else { return nil }
        return get(address.pointee[keyPath: keyPath])
      }
    }
    if let locate = locator(keyPath) {
      return {
        var value: Value?
        _ = locate { value = get($0.pointee) }
        return value
      }
    }
    let current = moving?.current
    return {
      // `map` is not used, because the standard library would check the closure's isolation at each
      // call.
      guard let whole = current?() else { return nil }
      return get(whole[keyPath: keyPath])
    }
  }

  /// Returns a closure that tells whether a row exists.
  @inlinable
  func contains<ID, Row>(
    _ rows: KeyPath<ViewState, IdentifiedArray<ID, Row>>, _ id: ID
  ) -> @MainActor () -> Bool {
    let read = reader(rows) { $0.contains(id: id) ? true : nil }
    return { read() == true }
  }

  /// Returns closures that read the changes of an array of rows.
  ///
  /// A stored array is not copied.
  @inlinable
  func rowsReader<ID, Row>(_ rows: KeyPath<ViewState, IdentifiedArray<ID, Row>>) -> RowsReader {
    if let address = address(rows) {
      return RowsReader(
        version: { address.pointee.changes.version },
        forEachChange: { version, body in
          address.pointee.forEachChange(since: version) { body(ChildID($0)) }
        })
    }
    let read = reader(rows)
    return RowsReader(
      version: { read()?.changes.version },
      forEachChange: { version, body in
        read()?.forEachChange(since: version) { body(ChildID($0)) } ?? false
      })
  }

  /// The place of a part that exists as long as this view state.
  @inlinable
  func child<Part>(_ keyPath: KeyPath<ViewState, Part>) -> ViewStatePlace<Part> {
    if let address = address(keyPath) {
      return ViewStatePlace<Part>(address, of: memory, guardedBy: owner)
    }
    return ViewStatePlace<Part>(self, locator(keyPath), life: life, reader(keyPath)) {
      movingValue[keyPath: keyPath]
    }
  }

  /// The place of a removable part.
  ///
  /// Its readers do not keep the life, because cells keep the readers.
  @inlinable
  func child<Part>(
    _ life: PartContent<Part>, _ row: RowPlace<Part>?,
    _ current: @autoclosure () -> @MainActor () -> Part?
  ) -> ViewStatePlace<Part> {
    if let row {
      return ViewStatePlace<Part>(self, nil, row: row, life: life, { nil }, { life.latest })
    }
    let current = current()
    return ViewStatePlace<Part>(
      self, nil, life: life, { [weak life] in life?.isOver == true ? nil : current() },
      { life.latest })
  }
}

/// The ways to find a view state that is computed or can be removed.
///
/// It is a class because most view states have a fixed address. Their places then store only `nil`.
@MainActor
@usableFromInline
final class MovingPlace<ViewState> {
  /// Calls a closure with the current address of the view state, and returns true.
  ///
  /// Returns false while the view state does not exist. `nil` if the view state is a row, or has no
  /// address because it is computed.
  @usableFromInline let locate: ViewStatePlace<ViewState>.Locate?
  /// Returns the view state, or `nil` while it does not exist.
  @usableFromInline let current: @MainActor () -> ViewState?
  /// Returns the substitute value for reads while the view state does not exist.
  @usableFromInline let last: @MainActor () -> ViewState
  /// The life of the removable part that contains the view state; `nil` if there is none.
  @usableFromInline let life: PartLife?

  @inlinable
  init(
    locate: ViewStatePlace<ViewState>.Locate?, current: @escaping @MainActor () -> ViewState?,
    last: @escaping @MainActor () -> ViewState, life: PartLife?
  ) {
    self.locate = locate
    self.current = current
    self.last = last
    self.life = life
  }
}
