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
  /// Makes a disk with a custom format.
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

  /// Makes a disk that stores values as JSON.
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

  /// Makes a disk that stores bytes unchanged.
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
