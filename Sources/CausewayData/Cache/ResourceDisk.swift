/// Where a cache keeps its values on disk, and in which form.
public struct ResourceDisk<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  let store: any ResourceStore
  let name: @Sendable (Key) -> String
  let encode: @Sendable (Value) throws -> [UInt8]
  let decode: @Sendable ([UInt8]) throws -> Value

  package init(
    _ store: any ResourceStore,
    name: @escaping @Sendable (Key) -> String,
    encode: @escaping @Sendable (Value) throws -> [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws -> Value
  ) {
    self.store = store
    self.name = name
    self.encode = encode
    self.decode = decode
  }
}

/// What a disk keeps of a value.
package struct StoredResource: Sendable, Equatable {
  package var bytes: [UInt8]
  package var validator: String?
  /// When the loader gave the value, in milliseconds since 1970.
  package var loadedAt: Int64

  package init(bytes: [UInt8], validator: String?, loadedAt: Int64) {
    self.bytes = bytes
    self.validator = validator
    self.loadedAt = loadedAt
  }
}

/// A disk as a cache sees it.
package protocol ResourceStore: Sendable {
  /// The resource of a name, or `nil` if there is none or it was damaged.
  func read(_ name: String) async throws -> StoredResource?

  /// Replaces the resource of a name.
  ///
  /// - Parameter isWanted: Asked in the same step as the replacement, so that what was removed
  ///   meanwhile is not written.
  func write(
    _ resource: StoredResource, for name: String, if isWanted: @escaping @Sendable () -> Bool
  ) async throws

  /// Removes the resource of a name, if there is one.
  func remove(_ name: String) async throws

  /// Removes everything.
  func removeAll() async throws
}
