import Observation

/// The value of one key, and its observers.
@MainActor
final class StoreCell<Value: Equatable & Sendable>: Observable {
  private let registrar = ObservationRegistrar()
  private var stored: Value?

  /// The current value; does not register an observation.
  var current: Value? { stored }

  /// The current value; registers an observation.
  var value: Value? {
    registrar.access(self, keyPath: \.stored)
    return stored
  }

  /// Replaces the value and notifies its observers.
  func set(_ value: Value?) {
    guard value != stored else { return }
    registrar.withMutation(of: self, keyPath: \.stored) { stored = value }
  }

  /// Notifies all observers, which then read the value again.
  func invalidate() {
    registrar.withMutation(of: self, keyPath: \.stored) {}
  }
}

/// The cells of a store: one for each key that has a value or was read.
@MainActor
struct StoreCells<Key: Hashable & Sendable, Value: Equatable & Sendable> {
  /// The largest number of cells without a value.
  private static var absentLimit: Int { 1_024 }

  private var present: [Key: StoreCell<Value>] = [:]
  /// The cells of keys that were read and have no value.
  ///
  /// They notify their readers when the key gets a value.
  private var absent: [Key: StoreCell<Value>] = [:]

  var keys: Dictionary<Key, StoreCell<Value>>.Keys { present.keys }
  var count: Int { present.count }

  func current(_ key: Key) -> Value? { present[key]?.current }

  /// The changes that set a backing to the current values of keys.
  func changes(of keys: [Key]) -> StoreChanges<Key, Value> {
    var changes = StoreChanges<Key, Value>()
    for key in keys {
      if let value = current(key) {
        changes.updated[key] = value
      } else {
        changes.removed.insert(key)
      }
    }
    return changes
  }

  /// The number of cells without a value.
  var absentCount: Int { absent.count }

  /// The cell of a key, and the cells that the caller must invalidate.
  ///
  /// The caller invalidates the cells later, because a notified observer may read the store at
  /// once.
  mutating func cell(
    for key: Key
  ) -> (cell: StoreCell<Value>, forgotten: [StoreCell<Value>]) {
    if let cell = present[key] ?? absent[key] { return (cell, []) }
    let cell = StoreCell<Value>()
    return (cell, keep(cell, absent: key))
  }

  /// Adds or removes a key.
  ///
  /// Returns the cell to set, whether the key was added or removed, and the cells that the caller
  /// must invalidate.
  mutating func place(
    _ key: Key, hasValue: Bool
  ) -> (cell: StoreCell<Value>, isNewOrGone: Bool, forgotten: [StoreCell<Value>]) {
    if hasValue {
      if let cell = present[key] { return (cell, false, []) }
      let cell = absent.removeValue(forKey: key) ?? StoreCell()
      present[key] = cell
      return (cell, true, [])
    }
    if let cell = present.removeValue(forKey: key) { return (cell, true, keep(cell, absent: key)) }
    return (absent[key] ?? StoreCell(), false, [])
  }

  /// Keeps the cell of a key without a value; returns the cells that were dropped to make room.
  ///
  /// The limit bounds the memory when a view reads many keys that do not exist. Observers of a
  /// dropped cell are notified, read again, and get a new cell.
  private mutating func keep(
    _ cell: StoreCell<Value>, absent key: Key
  ) -> [StoreCell<Value>] {
    var forgotten: [StoreCell<Value>] = []
    if absent.count >= Self.absentLimit {
      forgotten = Array(absent.values)
      absent = [:]
    }
    absent[key] = cell
    return forgotten
  }
}
