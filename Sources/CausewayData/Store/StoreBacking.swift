/// What changed in a store since the last save that worked.
public struct StoreChanges<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The values to store.
  public var updated: [Key: Value]
  /// The keys to remove, none of which is updated too.
  public var removed: Set<Key>

  /// Makes changes.
  public init(updated: [Key: Value] = [:], removed: Set<Key> = []) {
    self.updated = updated
    self.removed = removed
  }

  /// Whether nothing changed.
  public var isEmpty: Bool { updated.isEmpty && removed.isEmpty }

  /// How many keys changed.
  var count: Int { updated.count + removed.count }

  /// Makes the changes to values.
  ///
  /// - Complexity: O(changes).
  public func apply(to values: inout [Key: Value]) {
    for (key, value) in updated { values[key] = value }
    for key in removed { values[key] = nil }
  }
}

/// Where a store keeps its values.
///
/// Its functions run off the main actor.
public protocol StoreBacking<Key, Value>: Sendable {
  /// Identifies a value.
  associatedtype Key: Hashable & Sendable
  /// What is stored.
  associatedtype Value: Sendable

  /// All values that can be read.
  ///
  /// What is damaged should be set aside and reported, so that the store can begin with the rest.
  @concurrent func load() async throws -> [Key: Value]

  /// Stores all of the changes, or none of them if it throws.
  @concurrent func save(_ changes: StoreChanges<Key, Value>) async throws

  /// Removes damaged data that were set aside: they may belong to a session that has ended.
  ///
  /// Called when a session ends, after all values were removed.
  @concurrent func removeDamaged() async throws
}

extension StoreBacking {
  /// Nothing, for a backing that sets nothing aside.
  @concurrent public func removeDamaged() async throws {}
}
