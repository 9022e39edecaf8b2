/// A dictionary of values by key path.
///
/// A lookup compares object identities first, because comparing key paths is slow.
struct KeyPathTable<Value> {
  private var values = PurgedDictionary<AnyKeyPath, Value>()
  /// The values by the identity of the key path object.
  ///
  /// A key path literal in the source is one object.
  ///
  /// Each entry keeps its object alive.
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

  /// Adds a value.
  ///
  /// May remove values that are not needed.
  mutating func insert(_ value: Value, for keyPath: AnyKeyPath, isNeeded: (Value) -> Bool) {
    values.insert(value, for: keyPath, isNeeded: isNeeded)
    know(keyPath, value)
  }

  private mutating func know(_ keyPath: AnyKeyPath, _ value: Value) {
    if known.count == 256 { known.removeAll(keepingCapacity: true) }
    known[ObjectIdentifier(keyPath)] = (keyPath, value)
  }
}

/// A dictionary that removes unneeded values when it has grown to twice its needed size.
///
/// Otherwise, key paths that are made at run time and values of removed rows would fill the memory.
struct PurgedDictionary<Key: Hashable, Value> {
  private var values: [Key: Value] = [:]
  private var limit = 1024

  /// All values, in no particular order.
  var all: some Collection<Value> { values.values }

  subscript(key: Key) -> Value? { values[key] }

  /// Adds a value.
  ///
  /// May remove values that are not needed.
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
