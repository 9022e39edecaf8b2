package import CausewayBasics

/// The disk operations that a cache needs.
package protocol ResourceStore: Sendable {
  /// Returns the resource of a name, or `nil` if there is none or it was damaged.
  func read(_ name: String) async throws -> StoredResource?

  /// Whether `readNow` may return a resource.
  var readsNow: Bool { get }

  /// Returns the resource of a name if that needs no waiting.
  ///
  /// If it returns `nil`, the store can still have the resource.
  func readNow(_ name: String) -> StoredResource?

  /// Replaces the resource of a name.
  ///
  /// - Parameter isWanted: Called in the same step as the replacement. It returns false for a value
  ///   that was removed in the meantime, and that value is not written.
  func write(
    _ resource: StoredResource, for name: String, if isWanted: @escaping @Sendable () -> Bool
  ) async throws

  /// Removes the resource of a name, if there is one.
  func remove(_ name: String) async throws

  /// Removes all resources.
  func removeAll() async throws
}

extension ResourceStore {
  /// By default every read may wait.
  package var readsNow: Bool { false }

  /// By default this reads nothing.
  package func readNow(_ name: String) -> StoredResource? { nil }
}
