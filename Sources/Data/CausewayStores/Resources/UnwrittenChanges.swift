/// The changes of a cache that have not reached its disk.
struct UnwrittenChanges<Key: Hashable & Sendable, Token: Equatable & Sendable>: Sendable {
  /// For each key, the load whose value may be written.
  private var values: [Key: Token] = [:]
  /// The number of removals of each key.
  private var removals: [Key: Int] = [:]
  /// The number of removals of all values.
  private var wipes = 0

  var isEmpty: Bool { values.isEmpty && removals.isEmpty && wipes == 0 }

  /// Whether a key may be read from the disk, because no removal of its value is running.
  func mayRead(_ key: Key) -> Bool { wipes == 0 && removals[key] == nil }

  /// Whether the value of a load may be written.
  func mayWrite(_ key: Key, _ token: Token) -> Bool { values[key] == token }

  /// Whether a value of a key may still be written.
  func hasValue(of key: Key) -> Bool { values[key] != nil }

  mutating func beginWriting(_ key: Key, _ token: Token) { values[key] = token }

  mutating func endWriting(_ key: Key, _ token: Token) {
    if values[key] == token { values[key] = nil }
  }

  /// Prevents the value of a key, or all values if it is `nil`, from being written.
  mutating func cancelWriting(_ key: Key?) {
    if let key { values[key] = nil } else { values = [:] }
  }

  mutating func beginRemoval(of key: Key) { removals[key, default: 0] += 1 }

  mutating func endRemoval(of key: Key) {
    let left = (removals[key] ?? 1) - 1
    removals[key] = left > 0 ? left : nil
  }

  mutating func beginRemovalOfAll() { wipes += 1 }

  mutating func endRemovalOfAll() { wipes -= 1 }
}
