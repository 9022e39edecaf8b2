/// Objects that live as long as somebody else uses them.
@MainActor struct SharedObjects<Object: AnyObject> {
  private struct Entry { weak var object: Object? }

  private var entries: [String: Entry] = [:]
  /// The number of entries at which those without an object are removed.
  private var nextRemoval = 64

  var all: [Object] { entries.values.compactMap(\.object) }

  subscript(key: String) -> Object? { entries[key]?.object }

  /// The object with a key, which is made if nobody uses one.
  ///
  /// Complexity: amortised O(1).
  mutating func object(for key: String, make: () -> Object) -> Object {
    if let object = entries[key]?.object { return object }
    let object = make()
    entries[key] = Entry(object: object)
    if entries.count > nextRemoval {
      entries = entries.filter { $0.value.object != nil }
      nextRemoval = max(64, 2 * entries.count)
    }
    return object
  }
}
