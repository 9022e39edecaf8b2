/// Objects, one for each key, that live as long as a page or another object uses them.
///
/// An object can contain, for example, the parts that all pages of an account share.
@MainActor public struct SharedObjects<Key: Hashable & Sendable, Object: AnyObject> {
  private struct Entry {
    weak var object: Object?
  }

  private var entries: [Key: Entry] = [:]
  /// The number of entries at which the entries without an object are removed.
  private var nextRemoval = 64

  /// Makes a collection without objects.
  public init() {}

  /// The objects that are in use.
  ///
  /// Complexity: O(*n*).
  public var all: [Object] { entries.values.compactMap(\.object) }

  /// The object with a key; nil if nothing uses one.
  public subscript(key: Key) -> Object? { entries[key]?.object }

  /// Returns the object with a key, which is made if nothing uses one.
  ///
  /// Complexity: amortised O(1).
  public mutating func object(for key: Key, make: () throws -> Object) rethrows -> Object {
    if let object = entries[key]?.object { return object }
    let object = try make()
    entries[key] = Entry(object: object)
    if entries.count > nextRemoval {
      entries = entries.filter { $0.value.object != nil }
      nextRemoval = max(64, 2 * entries.count)
    }
    return object
  }
}
