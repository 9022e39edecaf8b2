import Foundation

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

extension ResourceDisk {
  /// Keeps values in a form of your own.
  ///
  /// - Parameters:
  ///   - store: The files; each cache needs a store of its own.
  ///   - name: The whole identity of a key as text. Different keys need different texts.
  ///   - encode: Runs off the caller's actor.
  ///   - decode: Runs off the caller's actor. What it does not understand is loaded again.
  public init(
    _ store: DiskStore,
    name: @escaping @Sendable (Key) -> String,
    encode: @escaping @Sendable (Value) throws -> [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws -> Value
  ) {
    self.init(store as any ResourceStore, name: name, encode: encode, decode: decode)
  }

  /// Keeps values as JSON.
  ///
  /// - Parameters:
  ///   - store: The files; each cache needs a store of its own.
  ///   - name: The whole identity of a key as text. Different keys need different texts.
  public static func json(
    _ store: DiskStore, name: @escaping @Sendable (Key) -> String
  ) -> ResourceDisk where Value: Codable {
    ResourceDisk(
      store, name: name, encode: { [UInt8](try JSONEncoder().encode($0)) },
      decode: { try JSONDecoder().decode(Value.self, from: Data($0)) })
  }

  /// Keeps bytes as they are.
  ///
  /// - Parameters:
  ///   - store: The files; each cache needs a store of its own.
  ///   - name: The whole identity of a key as text. Different keys need different texts.
  public static func bytes(
    _ store: DiskStore, name: @escaping @Sendable (Key) -> String
  ) -> ResourceDisk where Value == [UInt8] {
    ResourceDisk(store, name: name, encode: { $0 }, decode: { $0 })
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
