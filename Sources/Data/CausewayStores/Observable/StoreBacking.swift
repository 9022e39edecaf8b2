public import CausewayBasics

/// The changes in a store since the last successful save.
public struct StoreChanges<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The values to store.
  public var updated: [Key: Value]
  /// The keys to remove; none of them is in `updated`.
  public var removed: Set<Key>

  /// Makes changes.
  public init(updated: [Key: Value] = [:], removed: Set<Key> = []) {
    self.updated = updated
    self.removed = removed
  }

  /// Whether nothing changed.
  public var isEmpty: Bool { updated.isEmpty && removed.isEmpty }

  /// The number of changed keys.
  var count: Int { updated.count + removed.count }

  /// Applies the changes to a dictionary of values.
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
  /// If some values are damaged, the backing should set them aside and report them. The store then
  /// begins with the other values.
  @concurrent func load() async throws -> [Key: Value]

  /// Stores all changes, or none of them if it throws.
  @concurrent func save(_ changes: StoreChanges<Key, Value>) async throws

  /// Prepares for the removal of all values, because their session has ended.
  ///
  /// A backing with files records that the remains of the values must be erased. If the process
  /// ends before ``erase(after:)``, they are erased after the next start.
  ///
  /// - Parameter wipe: The reason for the removal.
  @concurrent func willRemoveAll(for wipe: SessionParticipant.Wipe) async throws

  /// Removes damaged data that was set aside, because it may belong to a session that has ended.
  ///
  /// The store calls this function when a session ends, after all values were removed.
  @concurrent func removeDamaged() async throws

  /// Removes the remains of removed values from files.
  ///
  /// Called after all participants of the session have removed their data.
  ///
  /// - Parameter wipe: The reason for the removal.
  @concurrent func erase(after wipe: SessionParticipant.Wipe) async throws
}

extension StoreBacking {
  /// The default does nothing, which is correct for a backing that keeps no damaged data.
  @concurrent public func removeDamaged() async throws {}

  /// The default does nothing, which is correct for a backing that leaves no remains.
  @concurrent public func willRemoveAll(for wipe: SessionParticipant.Wipe) async throws {}

  /// The default does nothing, which is correct for a backing that leaves no remains.
  @concurrent public func erase(after wipe: SessionParticipant.Wipe) async throws {}
}
