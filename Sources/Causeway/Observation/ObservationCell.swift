public import Observation

/// One observed part of a view state.
///
/// A read arms it with the value that was seen. The first publication that finds another value
/// notifies, and lets go of the value: an observed array is copied at most once per read, and
/// an unarmed cell costs nothing. Tracking is one-shot, as in `withObservationTracking`.
@MainActor
@usableFromInline
class ObservationCell: Observable {
  private let registrar = ObservationRegistrar()
  private(set) var isArmed = false

  init() {}

  /// Registers the running observation, if there is one, and arms the cell in the table.
  final func access(_ table: ObservationTable) {
    registrar.access(self, keyPath: \.isArmed)
    guard !isArmed else { return }
    isArmed = true
    remember()
    table.arm(self)
  }

  /// Tells the observers of the last read, and lets go of what was seen.
  final func notify() {
    registrar.withMutation(of: self, keyPath: \.isArmed) {}
  }

  /// Whether the value differs from the one that was seen; if so the cell is disarmed.
  final func hasChanged() -> Bool {
    guard isDifferent() else { return false }
    isArmed = false
    forget()
    return true
  }

  /// Keeps the value for comparison.
  func remember() {}
  /// Compares the value with the one that was kept; without one, any publication is a change.
  func isDifferent() -> Bool { true }
  /// Lets go of the value that was kept.
  func forget() {}
}

/// A part that can be compared, at a fixed address in the state.
final class StoredCell<Value: Equatable>: ObservationCell {
  private let address: UnsafePointer<Value>
  private var seen: Value?

  init(_ address: UnsafePointer<Value>) {
    self.address = address
  }

  override func remember() { seen = address.pointee }
  override func isDifferent() -> Bool { seen != address.pointee }
  override func forget() { seen = nil }
}

/// A part that can be compared and is computed.
final class ComputedCell<Value: Equatable>: ObservationCell {
  private let read: @MainActor () -> Value
  private var seen: Value?

  init(_ read: @escaping @MainActor () -> Value) {
    self.read = read
  }

  override func remember() { seen = read() }
  override func isDifferent() -> Bool { seen != read() }
  override func forget() { seen = nil }
}
