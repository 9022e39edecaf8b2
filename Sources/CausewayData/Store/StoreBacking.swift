/// The changes in a store since the last successful save.
public struct StoreChanges<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The values to store.
  public var updated: [Key: Value]
  /// The keys to remove; none of them is in `updated`.
  public var removed: Set<Key>

  /// Creates changes.
  public init(updated: [Key: Value] = [:], removed: Set<Key> = []) {
    self.updated = updated
    self.removed = removed
  }

  /// Whether nothing changed.
  public var isEmpty: Bool { updated.isEmpty && removed.isEmpty }

  /// The number of changed keys.
  var count: Int { updated.count + removed.count }

  /// Applies the changes to values.
  ///
  /// - Complexity: O(changes).
  public func apply(to values: inout [Key: Value]) {
    for (key, value) in updated { values[key] = value }
    for key in removed { values[key] = nil }
  }
}

/// The storage of an observable store.
///
/// Its functions run off the main actor.
public protocol StoreBacking<Key, Value>: Sendable {
  /// The type that identifies a value.
  associatedtype Key: Hashable & Sendable
  /// The type of the stored values.
  associatedtype Value: Sendable

  /// Returns all values that can be read.
  ///
  /// The backing should set damaged values aside and report them, so that the store begins with the
  /// others.
  @concurrent func load() async throws -> [Key: Value]

  /// Stores all changes, or none of them if it throws.
  @concurrent func save(_ changes: StoreChanges<Key, Value>) async throws

  /// Removes damaged data that was set aside: it may belong to a session that has ended.
  ///
  /// The store calls this when a session ends, after all values were removed.
  @concurrent func removeDamaged() async throws

  /// Releases what the backing holds for this store, such as the lock of a file.
  ///
  /// The store calls this after it is closed. A later call of another function is allowed.
  @concurrent func close() async
}

extension StoreBacking {
  /// Does nothing; for a backing that sets no data aside.
  @concurrent public func removeDamaged() async throws {}

  /// Does nothing; for a backing that holds nothing.
  @concurrent public func close() async {}
}
