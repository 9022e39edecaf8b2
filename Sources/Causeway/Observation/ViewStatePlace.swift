/// Where a view state is read.
///
/// It keeps the memory of the state alive, and nothing of who observes it.
@MainActor
@usableFromInline
struct ViewStatePlace<ViewState> {
  /// Knows when it must not be read.
  @usableFromInline let owner: StateGuard
  @usableFromInline let memory: AnyObject
  /// `nil` for one that is computed, or that may be gone.
  @usableFromInline let address: UnsafePointer<ViewState>?
  /// The view state; `nil` while it is gone.
  @usableFromInline let current: @MainActor () -> ViewState?
  /// What there is to read while it is gone.
  @usableFromInline let last: @MainActor () -> ViewState

  /// The place of a view state that is always there.
  @usableFromInline
  init(_ box: StateBox<ViewState>, guardedBy owner: StateGuard) {
    self.owner = owner
    memory = box
    address = UnsafePointer(box.pointer)
    current = { box.pointer.pointee }
    last = { box.pointer.pointee }
  }

  /// The place of a part of another view state.
  @usableFromInline
  init<Parent>(
    _ parent: ViewStatePlace<Parent>,
    _ address: UnsafePointer<ViewState>?,
    _ current: @escaping @MainActor () -> ViewState?,
    _ last: @escaping @MainActor () -> ViewState
  ) {
    owner = parent.owner
    memory = parent.memory
    self.address = address
    self.current = current
    self.last = last
  }

  var value: ViewState {
    address?.pointee ?? current() ?? last()
  }

  /// A part of the view state, without a copy of all of it where that is stored.
  @inlinable
  func part<Part>(_ keyPath: KeyPath<ViewState, Part>) -> Part {
    address?.pointee[keyPath: keyPath] ?? (current() ?? last())[keyPath: keyPath]
  }

  /// Where a stored part of the view state is.
  @inlinable
  func address<Part>(_ keyPath: KeyPath<ViewState, Part>) -> UnsafePointer<Part>? {
    guard let address, let offset = MemoryLayout<ViewState>.offset(of: keyPath) else { return nil }
    return (UnsafeRawPointer(address) + offset).assumingMemoryBound(to: Part.self)
  }

  /// Reads a part whenever it is called; `nil` while the view state is gone.
  ///
  /// What this returns does not keep the memory alive: it is for observed parts, which are compared
  /// by the runtime that owns the state, and for places.
  @inlinable
  func reader<Part>(_ keyPath: KeyPath<ViewState, Part>) -> @MainActor () -> Part? {
    reader(keyPath) { $0 }
  }

  /// Reads something of a part in the same way.
  @inlinable
  func reader<Part, Value>(
    _ keyPath: KeyPath<ViewState, Part>, _ get: @escaping @MainActor (Part) -> Value?
  ) -> @MainActor () -> Value? {
    if let part = address(keyPath) { return { get(part.pointee) } }
    if let address { return { get(address.pointee[keyPath: keyPath]) } }
    let current = self.current
    return {
      // Not `map`: an isolated closure is checked each time the standard library calls it.
      guard let whole = current() else { return nil }
      return get(whole[keyPath: keyPath])
    }
  }

  /// Reads the version of an array of rows, without a copy of the array where that is stored.
  @inlinable
  func versionReader<ID, Row>(
    _ rows: KeyPath<ViewState, IdentifiedArray<ID, Row>>
  ) -> @MainActor () -> UInt64? {
    if let address = address(rows) { return { address.pointee.version } }
    return reader(rows) { $0.version }
  }

  /// The place of a part that is there as long as this is.
  @inlinable
  func child<Part>(_ keyPath: KeyPath<ViewState, Part>) -> ViewStatePlace<Part> {
    ViewStatePlace<Part>(self, address(keyPath), reader(keyPath)) { part(keyPath) }
  }

  /// The place of a part that may go away, and is read as it was at first from then on.
  @inlinable
  func child<Part>(
    _ first: Part, _ current: @escaping @MainActor () -> Part?
  ) -> ViewStatePlace<Part> {
    ViewStatePlace<Part>(self, nil, current) { first }
  }
}
