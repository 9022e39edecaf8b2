public import Observation

/// One observed part of a view state.
///
/// A read arms the cell with the value that was read. The first publication with a different value
/// notifies the observers and releases the stored value. An observed array is therefore copied at
/// most once per read, and an unarmed cell costs nothing. Tracking is one-shot, as in
/// `withObservationTracking`.
@MainActor
@usableFromInline
class ObservationCell: Observable {
  /// The address of the value; `nil` for a value that is computed or cannot be compared.
  ///
  /// Stored separately, because a read through `place` would copy it and retain three closures.
  final let address: UnsafeRawPointer?
  /// Compares and copies the value at the address.
  private final let place: ObservedPlace?
  /// Stores the value that was read while the cell is armed.
  final let seen: UnsafeMutableRawPointer?
  final let size: Int
  private final let registrar = ObservationRegistrar()
  /// The key path for the registrar; see ``TrackingDetection``.
  ///
  /// Unchecked: only `access` and `notify` use it, on the main actor.
  @exclusivity(unchecked) private final var keyPath = TrackingDetection.keyPath(
    of: ObservationCell.self)
  // Unchecked, like the next properties: every access is a single load or store on the main actor.
  @exclusivity(unchecked) private(set) final var isArmed = false
  /// Whether the last comparison found no value: a part that contains the value is missing.
  ///
  /// The table reads ``isGone`` only if this is true.
  @exclusivity(unchecked) final var wasMissing = false
  /// Whether a change was found and the observers are not notified yet.
  @exclusivity(unchecked) private final var isDue = false
  /// The observers that read the value after the change was found.
  ///
  /// They have read the new value and need no notification of it, so they register separately.
  @exclusivity(unchecked) private final var late: ObservationRegistrar?
  /// The late readers of the previous change.
  ///
  /// The next change notifies them.
  @exclusivity(unchecked) private final var earlier: ObservationRegistrar?

  @usableFromInline
  init(_ place: ObservedPlace?) {
    self.place = place
    address = place?.address
    size = place?.size ?? 0
    seen = place.map { .allocate(byteCount: $0.stride, alignment: $0.alignment) }
  }

  isolated deinit {
    if isArmed { disarm() }
    seen?.deallocate()
  }

  /// Registers the current observation, if there is one, and arms the cell in the table.
  ///
  /// A read outside of an observation arms nothing, and so stores no copy of the value.
  ///
  /// - Parameter table: Kept by the caller.
  @usableFromInline
  final func access(_ table: Unmanaged<ObservationTable>) {
    if isDue { accessLate() } else { register(.passUnretained(keyPath)) }
    if isArmed { return }
    if TrackingDetection.isTracked(&keyPath) {
      arm(in: table.takeUnretainedValue())
    } else {
      TrackingDetection.stopAssuming()
    }
  }

  @inline(never)
  private final func arm(in table: ObservationTable) {
    if isGone { return }
    isArmed = true
    if let place, let seen { place.copy(place.address, seen) } else { remember() }
    table.arm(self)
  }

  /// Registers the current observation.
  ///
  /// Without one, the key path is not retained.
  ///
  /// Nonisolated, because the standard library would check the closure's isolation at each call.
  private nonisolated final func register(
    _ keyPath: Unmanaged<KeyPath<ObservationCell, ObservationCell>>
  ) {
    keyPath._withUnsafeGuaranteedRef { registrar.access(self, keyPath: $0) }
  }

  @inline(never)
  private final func accessLate() {
    let late = late ?? ObservationRegistrar()
    self.late = late
    late.access(self, keyPath: keyPath)
  }

  /// Releases the stored value.
  final func disarm() {
    // The cell is disarmed first: the deinitializer of the value may read, which must not arm this
    // cell.
    if let place, let seen { place.destroy(seen) } else { forget() }
    isArmed = false
  }

  /// Releases the stored value because it has changed.
  ///
  /// The caller calls ``notify()`` next.
  final func expire() {
    disarm()
    isDue = true
  }

  /// Notifies the observers of the last read.
  final func notify() {
    isDue = false
    if late != nil || earlier != nil { return notifyAll() }
    registrar.willSet(self, keyPath: keyPath)
  }

  @inline(never)
  private final func notifyAll() {
    let told = earlier
    earlier = late
    late = nil
    registrar.willSet(self, keyPath: keyPath)
    told?.willSet(self, keyPath: keyPath)
  }

  /// Stores a computed value for comparison.
  func remember() {}
  /// Whether the current value differs from the stored one.
  ///
  /// A value that cannot be compared counts as changed at every publication.
  func isDifferent() -> Bool {
    guard let place, let seen else { return true }
    return !place.areEqual(seen, place.address)
  }
  /// Whether the value belongs to a part that is gone, so the cell compares nothing any more.
  var isGone: Bool { false }
  /// Releases a computed value.
  func forget() {}
  /// Releases a value that is kept without an observation.
  func releaseKept() {}
}
