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
