/// A dictionary of values by key path.
///
/// A lookup compares object identities first, because comparing key paths is slow.
struct KeyPathTable<Value> {
  private var values = PurgedDictionary<AnyKeyPath, Value>()
  /// The values by the identity of the key path object.
  ///
  /// A key path literal in the source is one object.
  private var known = IdentityTable<Value>()

  /// All values, in no particular order.
  var all: some Collection<Value> { values.all }

  @inline(__always)
  mutating func value(_ keyPath: AnyKeyPath) -> Value? {
    if let value = known.value(keyPath) { return value }
    guard let value = values[keyPath] else { return nil }
    known.insert(keyPath, value)
    return value
  }

  /// Adds a value.
  ///
  /// May remove values that are not needed.
  mutating func insert(_ value: Value, for keyPath: AnyKeyPath, isNeeded: (Value) -> Bool) {
    values.insert(value, for: keyPath, isNeeded: isNeeded)
    known.insert(keyPath, value)
  }
}

/// The values of up to 256 key path objects.
///
/// A hash table with linear probing. A dictionary would spend most of the time of an unobserved
/// read on the hash of the address.
private struct IdentityTable<Value> {
  /// Empty, or a power of two of entries, of which at most three quarters are used.
  ///
  /// Each entry keeps its key path object alive.
  private var entries: ContiguousArray<(keyPath: AnyKeyPath, value: Value)?> = []
  private var count = 0

  @inline(__always)
  func value(_ keyPath: AnyKeyPath) -> Value? {
    if entries.isEmpty { return nil }
    var index = home(of: keyPath)
    while let entry = entries[index] {
      if entry.keyPath === keyPath { return entry.value }
      index = (index &+ 1) & (entries.count &- 1)
    }
    return nil
  }

  /// Adds the value of a key path object that is not in the table, or replaces its value.
  ///
  /// May remove all other values.
  mutating func insert(_ keyPath: AnyKeyPath, _ value: Value) {
    if 4 * (count + 1) > 3 * entries.count { grow() }
    var index = home(of: keyPath)
    while let entry = entries[index], entry.keyPath !== keyPath {
      index = (index &+ 1) & (entries.count &- 1)
    }
    if entries[index] == nil { count += 1 }
    entries[index] = (keyPath, value)
  }

  private mutating func grow() {
    let old = count < 256 ? entries : []
    entries = ContiguousArray(repeating: nil, count: max(4, 2 * old.count))
    count = 0
    for case (let keyPath, let value)? in old { insert(keyPath, value) }
  }

  @inline(__always)
  private func home(of keyPath: AnyKeyPath) -> Int {
    // Objects are aligned, so the lowest bits of their addresses are equal.
    let address = UInt(bitPattern: Unmanaged.passUnretained(keyPath).toOpaque())
    return Int(truncatingIfNeeded: (address >> 4) ^ (address >> 12)) & (entries.count &- 1)
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
