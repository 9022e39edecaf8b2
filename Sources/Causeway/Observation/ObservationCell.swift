public import Observation

/// One observed part of a view state.
///
/// A read arms it with the value that was seen. The first publication that finds another value
/// notifies, and lets go of the value: an observed array is copied at most once per read, and
/// an unarmed cell costs nothing. Tracking is one-shot, as in `withObservationTracking`.
@MainActor
@usableFromInline
class ObservationCell: Observable {
  /// Where the value is; `nil` for one that is computed or cannot be compared.
  @usableFromInline final let place: ObservedPlace?
  /// Holds the value that was seen while the cell is armed.
  final let seen: UnsafeMutableRawPointer?
  final let size: Int
  private final let registrar = ObservationRegistrar()
  /// What the registrar knows the value as; see ``TrackingDetection``.
  private final var keyPath = TrackingDetection.keyPath(of: ObservationCell.self)
  // Unchecked because every access to these is a single load or store on the main actor.
  @exclusivity(unchecked) private(set) final var isArmed = false
  /// True from when a change was found until the observers are told.
  @exclusivity(unchecked) private final var isDue = false
  /// Who has read since then, and with it the new value, which is not to be told to them.
  @exclusivity(unchecked) private final var late: LateReaders?
  /// Who had read like that before the last change, and is to be told of the next one.
  @exclusivity(unchecked) private final var earlier: LateReaders?

  /// Observers of a cell in a registrar of their own.
  private final class LateReaders {
    let registrar = ObservationRegistrar()
  }

  @usableFromInline
  init(_ place: ObservedPlace?) {
    self.place = place
    size = place?.size ?? 0
    seen = place.map { .allocate(byteCount: $0.size, alignment: $0.alignment) }
  }

  isolated deinit {
    if isArmed { disarm() }
    seen?.deallocate()
  }

  /// Registers the running observation, if there is one, and arms the cell in the table.
  ///
  /// A read that no observation follows arms nothing, and so keeps no copy of the value.
  @usableFromInline
  final func access(_ table: ObservationTable) {
    if isDue { accessLate() } else { registrar.access(self, keyPath: keyPath) }
    if isArmed || !TrackingDetection.isTracked(&keyPath) { return }
    isArmed = true
    if let place, let seen { place.copy(place.address, seen) } else { remember() }
    table.arm(self)
  }

  @inline(never)
  private final func accessLate() {
    let late = late ?? LateReaders()
    self.late = late
    late.registrar.access(self, keyPath: keyPath)
  }

  /// Lets go of what was seen.
  final func disarm() {
    // Before the cell counts as disarmed: the end of a value may read, and must not arm it then.
    if let place, let seen { place.destroy(seen) } else { forget() }
    isArmed = false
  }

  /// Lets go of what was seen, because it has changed; ``notify()`` is to follow.
  final func expire() {
    disarm()
    isDue = true
  }

  /// Tells the observers of the last read.
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
    told?.registrar.willSet(self, keyPath: keyPath)
  }

  /// Keeps a computed value for comparison.
  func remember() {}
  /// Whether there is another value than the one that was seen.
  ///
  /// What cannot be compared changes with every publication.
  func isDifferent() -> Bool {
    guard let place, let seen else { return true }
    return !place.areEqual(seen, place.address)
  }
  /// Lets go of a computed value.
  func forget() {}
}

/// A part that can be compared and is computed, or is of a part that may be gone.
@usableFromInline
final class ComputedCell<Value: Equatable>: ObservationCell {
  /// Returns `nil` for what is gone: that is a change like others, so that the cells of removed rows
  /// do not stay armed.
  private let read: @MainActor () -> Value?
  private var value: Value?

  @usableFromInline
  init(_ read: @escaping @MainActor () -> Value?) {
    self.read = read
    super.init(nil)
  }

  override func remember() { value = read() }
  override func isDifferent() -> Bool {
    // Comparing optionals as such takes metadata of tuples, which are looked up each time.
    guard let new = read() else { return value != nil }
    guard let value else { return true }
    return value != new
  }
  override func forget() { value = nil }
}
