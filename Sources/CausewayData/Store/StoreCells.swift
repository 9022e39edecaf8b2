import Observation

/// One key's value, and who has read it.
@MainActor
final class StoreCell<Value: Equatable & Sendable>: Observable {
  private let registrar = ObservationRegistrar()
  private var stored: Value?

  /// The value as it is, without anybody being told of changes.
  var current: Value? { stored }

  /// The value, for the observation that runs.
  var value: Value? {
    registrar.access(self, keyPath: \.stored)
    return stored
  }

  /// Replaces the value and tells who has read it.
  func set(_ value: Value?) {
    guard value != stored else { return }
    registrar.withMutation(of: self, keyPath: \.stored) { stored = value }
  }

  /// Has everybody who has read it read again.
  func invalidate() {
    registrar.withMutation(of: self, keyPath: \.stored) {}
  }
}

/// The cells of a store: one for each key that has a value or was read.
@MainActor
struct StoreCells<Key: Hashable & Sendable, Value: Equatable & Sendable> {
  /// How many cells without a value are kept.
  private static var absentLimit: Int { 1_024 }

  private var present: [Key: StoreCell<Value>] = [:]
  /// Keys that were read and have no value.
  ///
  /// They notify the readers when the key gets a value.
  private var absent: [Key: StoreCell<Value>] = [:]

  var keys: Dictionary<Key, StoreCell<Value>>.Keys { present.keys }
  var count: Int { present.count }

  func current(_ key: Key) -> Value? { present[key]?.current }

  /// How many keys without a value have a cell.
  var absentCount: Int { absent.count }

  /// The cell of a key, and the cells that are to be invalidated.
  ///
  /// That is left to the caller: whoever is told may read again at once.
  mutating func cell(
    for key: Key
  ) -> (cell: StoreCell<Value>, forgotten: [StoreCell<Value>]) {
    if let cell = present[key] ?? absent[key] { return (cell, []) }
    let cell = StoreCell<Value>()
    return (cell, keep(cell, absent: key))
  }

  /// Sets or removes the value of a key; returns the cell to be told, whether a key came or went,
  /// and the cells that are to be invalidated.
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

  /// Keeps the cell of a key without a value; returns those that are given up for it.
  ///
  /// Keys that are made up while they are read, or come and go, must not fill the memory. Whoever
  /// still looks at one reads again and gets a new cell.
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
