import Foundation

/// The files in which a cache stores its values, and the format of the values.
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

extension ResourceDisk {
  /// Creates a disk with a custom format.
  ///
  /// - Parameters:
  ///   - store: The files; each cache needs its own store.
  ///   - name: Returns the full identity of a key as text. Different keys need different texts.
  ///   - encode: Encodes a value, off the caller's actor.
  ///   - decode: Decodes a value, off the caller's actor. If it throws, the cache loads the value
  ///     again.
  public init(
    _ store: DiskStore,
    name: @escaping @Sendable (Key) -> String,
    encode: @escaping @Sendable (Value) throws -> [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws -> Value
  ) {
    self.init(store as any ResourceStore, name: name, encode: encode, decode: decode)
  }

  /// Creates a disk that stores values as JSON.
  ///
  /// - Parameters:
  ///   - store: The files; each cache needs its own store.
  ///   - name: Returns the full identity of a key as text. Different keys need different texts.
  public static func json(
    _ store: DiskStore, name: @escaping @Sendable (Key) -> String
  ) -> ResourceDisk where Value: Codable {
    ResourceDisk(
      store, name: name, encode: { [UInt8](try JSONEncoder().encode($0)) },
      decode: { try JSONDecoder().decode(Value.self, from: Data($0)) })
  }

  /// Creates a disk that stores bytes unchanged.
  ///
  /// - Parameters:
  ///   - store: The files; each cache needs its own store.
  ///   - name: Returns the full identity of a key as text. Different keys need different texts.
  public static func bytes(
    _ store: DiskStore, name: @escaping @Sendable (Key) -> String
  ) -> ResourceDisk where Value == [UInt8] {
    ResourceDisk(store, name: name, encode: { $0 }, decode: { $0 })
  }
}

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
