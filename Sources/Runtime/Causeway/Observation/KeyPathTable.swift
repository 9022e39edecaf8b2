/// A dictionary of values by key path.
///
/// A lookup compares object identities first, because comparing key paths is slow.
struct KeyPathTable<Value: AnyObject> {
  private var values = PurgedDictionary<AnyKeyPath, Value>()
  /// The values by the identity of the key path object.
  ///
  /// A key path literal in the source is one object.
  private var known = IdentityTable<Value>()

  /// All values, in no particular order.
  var all: some Collection<Value> { values.all }

  /// The value of a key path object that was looked up before; valid until the next insertion.
  @inline(__always)
  func known(_ keyPath: AnyKeyPath) -> Unmanaged<Value>? {
    known.value(keyPath)
  }

  mutating func value(_ keyPath: AnyKeyPath) -> Value? {
    if let value = known.value(keyPath) { return value.takeUnretainedValue() }
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
private struct IdentityTable<Value: AnyObject> {
  private typealias Entry = (keyPath: UnsafeMutableRawPointer, value: Unmanaged<Value>)

  /// The entries; their number is zero or a power of two, and at most three quarters of them are
  /// used.
  ///
  /// The entries are not retained, because a read would spend most of its time on reference counts.
  private var entries: ContiguousArray<Entry?> = []
  /// Keeps the key paths and values of the entries alive.
  private var owned: ContiguousArray<(keyPath: AnyKeyPath, value: Value)> = []

  @inline(__always)
  func value(_ keyPath: AnyKeyPath) -> Unmanaged<Value>? {
    if entries.isEmpty { return nil }
    let address = Self.address(of: keyPath)
    var index = home(of: address)
    while let entry = entries[index] {
      if entry.keyPath == address { return entry.value }
      index = (index &+ 1) & (entries.count &- 1)
    }
    return nil
  }

  /// Adds the value of a key path object, and replaces an earlier value.
  ///
  /// May remove all other values.
  mutating func insert(_ keyPath: AnyKeyPath, _ value: Value) {
    if 4 * (owned.count + 1) > 3 * entries.count { grow() }
    owned.append((keyPath, value))
    insertEntry(keyPath, value)
  }

  private mutating func insertEntry(_ keyPath: AnyKeyPath, _ value: Value) {
    let address = Self.address(of: keyPath)
    var index = home(of: address)
    while let entry = entries[index], entry.keyPath != address {
      index = (index &+ 1) & (entries.count &- 1)
    }
    entries[index] = (address, .passUnretained(value))
  }

  private mutating func grow() {
    if owned.count >= 256 {
      owned = []
      entries = []
    }
    entries = ContiguousArray(repeating: nil, count: max(4, 2 * entries.count))
    for (keyPath, value) in owned { insertEntry(keyPath, value) }
  }

  @inline(__always)
  private static func address(of keyPath: AnyKeyPath) -> UnsafeMutableRawPointer {
    Unmanaged.passUnretained(keyPath).toOpaque()
  }

  @inline(__always)
  private func home(of address: UnsafeMutableRawPointer) -> Int {
    // Objects are aligned, so the lowest bits of their addresses are equal.
    let address = UInt(bitPattern: address)
    return Int(truncatingIfNeeded: (address >> 4) ^ (address >> 12)) & (entries.count &- 1)
  }
}
