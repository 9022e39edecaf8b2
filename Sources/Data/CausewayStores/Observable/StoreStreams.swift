import CausewayBasics

/// The streams of single keys.
@MainActor
struct StoreStreams<Key: Hashable & Sendable, Value: Sendable> {
  private var broadcasts: [Key: Broadcast<Value?>] = [:]
  /// The keys whose streams get their first element after the load.
  private var waiting: Set<Key> = []

  /// Returns a stream of a key's values.
  ///
  /// - Parameter first: The first element; `nil` if it is not known yet.
  mutating func stream(of key: Key, first: Value??) -> AsyncStream<Value?> {
    if let broadcast = broadcasts[key] { return broadcast.stream() }
    // Removes the streams whose consumers have ended.
    broadcasts = broadcasts.filter { $0.value.count > 0 }
    waiting.formIntersection(broadcasts.keys)
    let broadcast = Broadcast<Value?>(first, buffering: .latest)
    broadcasts[key] = broadcast
    if first == nil { waiting.insert(key) }
    return broadcast.stream()
  }

  /// Delivers a changed value.
  mutating func send(_ value: Value?, for key: Key) {
    guard let broadcast = broadcasts[key] else { return }
    waiting.remove(key)
    broadcast.send(value, beginning: .some(value))
  }

  /// Delivers the first elements after the values were loaded.
  mutating func begin(_ value: (Key) -> Value?) {
    for key in waiting { send(value(key), for: key) }
  }
}
