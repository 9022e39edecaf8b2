/// The cell of a value in a removable part.
///
/// After the removal of the part, the cell keeps the value that was read last, for the view that is
/// closing. The value does not change any more, so the view is not notified.
@usableFromInline
final class PartCell<Value>: ObservationCell {
  /// Returns `nil` while the part does not exist.
  private let read: @MainActor () -> Value?
  /// `nil` for a value that is not comparable; it counts as changed at each publication.
  private let areEqual: ((Value, Value) -> Bool)?
  /// The cells of the removable part that contains the value, directly or inside of another part.
  private weak var part: ObservationCells?
  private var value: Value?
  /// The ``PartLife/count`` when the value was read.
  private var count = 0
  /// Whether a read outside of an observation keeps the value.
  ///
  /// True only for a string and for a value without references. If the cell kept a collection, or a
  /// value that contains one, the next change would copy the collection.
  private let keepsUnobserved: Bool

  @usableFromInline
  init(
    _ life: PartLife, _ read: @escaping @MainActor () -> Value?,
    areEqual: ((Value, Value) -> Bool)?
  ) {
    part = life.cells
    self.read = read
    self.areEqual = areEqual
    keepsUnobserved = areEqual != nil && (Value.self == String.self || _isPOD(Value.self))
    super.init(nil)
  }

  private var life: PartLife? { part?.life }

  /// The value that was read last; `nil` if the content of the part is newer.
  @usableFromInline var kept: Value? { count == life?.count ? value : nil }

  /// Keeps a value that was read outside of an observation.
  @usableFromInline
  func keep(_ value: Value) {
    guard keepsUnobserved, !isArmed, let life else { return }
    life.keepsValues = true
    self.value = value
    count = life.count
  }

  /// Keeps a value that is not comparable and that was read outside of an observation.
  func keepWhole(_ value: Value) {
    guard !isArmed, let life else { return }
    life.keepsValues = true
    self.value = value
    count = life.count
  }

  override func remember() {
    guard let new = read() else { return }
    value = new
    count = life?.count ?? 0
  }

  override func isDifferent() -> Bool {
    let new = read()
    wasMissing = new == nil
    guard let new else { return false }
    guard let value, let areEqual else { return true }
    return !areEqual(value, new)
  }

  override var isGone: Bool {
    guard let life else { return read() == nil }
    return life.isOver
  }

  override func forget() {
    if let life { life.keepsValues = true } else { value = nil }
  }

  override func releaseKept() {
    if !isArmed { value = nil }
  }
}

/// The cell of the existence of a removable part.
///
/// If another part replaces the part, this is a change, because the view needs another view model.
/// If the part around it is removed, this is not a change: the closing view shows its last content.
final class PresenceCell: ObservationCell {
  private let isThere: @MainActor () -> Bool
  private weak var part: ObservationCells?
  /// Returns whether the view state around the part exists; `nil` if it always does.
  private let isOuterThere: (@MainActor () -> Bool)?
  /// The cells of the removable part around this part.
  private weak var outer: ObservationCells?
  private var wasThere = false

  init(
    _ part: ObservationCells, in outer: ObservationCells?,
    _ isOuterThere: (@MainActor () -> Bool)?, _ isThere: @escaping @MainActor () -> Bool
  ) {
    self.part = part
    self.outer = outer
    self.isOuterThere = isOuterThere
    self.isThere = isThere
    super.init(nil)
  }

  private var isSameThere: Bool { part?.life?.hasEnded != true && isThere() }

  override func remember() { wasThere = isSameThere }

  override func isDifferent() -> Bool {
    if isSameThere {
      wasMissing = false
      return !wasThere
    }
    wasMissing = isOuterThere?() == false
    return wasThere && !wasMissing
  }

  override var isGone: Bool {
    guard let isOuterThere else { return false }
    return outer?.life?.isOver ?? !isOuterThere()
  }
}
