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
  /// Whoever waits for one is told when it comes.
  private var absent: [Key: StoreCell<Value>] = [:]

  var keys: Dictionary<Key, StoreCell<Value>>.Keys { present.keys }
  var count: Int { present.count }

  func current(_ key: Key) -> Value? { present[key]?.current }

  /// The value of a key, for the observation that runs.
  mutating func read(_ key: Key) -> Value? {
    if let cell = present[key] ?? absent[key] { return cell.value }
    if absent.count >= Self.absentLimit {
      // Keys that are made up while they are read must not fill the memory. Whoever still looks
      // at one reads again and gets a new cell.
      let cells = absent.values
      absent = [:]
      for cell in cells { cell.invalidate() }
    }
    let cell = StoreCell<Value>()
    absent[key] = cell
    return cell.value
  }

  /// Sets or removes the value of a key; returns the cell to be told, and whether a key came or
  /// went.
  mutating func place(_ key: Key, hasValue: Bool) -> (cell: StoreCell<Value>, isNewOrGone: Bool) {
    if hasValue {
      if let cell = present[key] { return (cell, false) }
      let cell = absent.removeValue(forKey: key) ?? StoreCell()
      present[key] = cell
      return (cell, true)
    }
    if let cell = present.removeValue(forKey: key) {
      absent[key] = cell
      return (cell, true)
    }
    return (absent[key] ?? StoreCell(), false)
  }
}
