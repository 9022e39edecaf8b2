/// Values by key path.
///
/// They are looked for by the key path's object at first, because comparing key paths takes long.
struct KeyPathTable<Value> {
  private var values = PurgedDictionary<AnyKeyPath, Value>()
  /// The values by the key path's object: a key path that is written in the source is one object.
  ///
  /// The entries keep theirs alive.
  private var known: [ObjectIdentifier: (keyPath: AnyKeyPath, value: Value)] = [:]

  /// All values, in no particular order.
  var all: some Collection<Value> { values.all }

  @inline(__always)
  mutating func value(_ keyPath: AnyKeyPath) -> Value? {
    if let known = known[ObjectIdentifier(keyPath)] { return known.value }
    guard let value = values[keyPath] else { return nil }
    know(keyPath, value)
    return value
  }

  /// Adds a value, and may drop others that are not needed.
  mutating func insert(_ value: Value, for keyPath: AnyKeyPath, isNeeded: (Value) -> Bool) {
    values.insert(value, for: keyPath, isNeeded: isNeeded)
    know(keyPath, value)
  }

  private mutating func know(_ keyPath: AnyKeyPath, _ value: Value) {
    if known.count == 256 { known.removeAll(keepingCapacity: true) }
    known[ObjectIdentifier(keyPath)] = (keyPath, value)
  }
}

/// A dictionary that drops what is not needed when it has become twice as large as what is.
///
/// Key paths that are made at run time, and rows that come and go, must not fill the memory.
struct PurgedDictionary<Key: Hashable, Value> {
  private var values: [Key: Value] = [:]
  private var limit = 1024

  /// All values, in no particular order.
  var all: some Collection<Value> { values.values }

  subscript(key: Key) -> Value? { values[key] }

  /// Adds a value, and may drop others that are not needed.
  ///
  /// Complexity: O(1) amortised.
  mutating func insert(_ value: Value, for key: Key, isNeeded: (Value) -> Bool) {
    if values.count >= limit {
      values = values.filter { isNeeded($0.value) }
      limit = max(1024, 2 * values.count)
    }
    values[key] = value
  }
}
