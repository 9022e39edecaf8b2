import Foundation

/// A value whose JSON is the same for equal values, so SQL can compare the texts.
///
/// The elements of a set and the keys of a dictionary have another order in each process. Here they
/// are in the order of their JSON.
struct SortedJSON: Encodable {
  let value: any Encodable

  init(_ value: any Encodable) {
    self.value = value
  }

  /// - Complexity: O(*n* log *n*) in the size of the value, for each level of nested sets.
  func bytes() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }

  func encode(to encoder: any Encoder) throws {
    switch value {
    // The encoder has its own forms for these types.
    case is any JSONScalar, is Date, is Data, is URL, is Decimal:
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case let unordered as any UnorderedEncodable:
      guard let parts = unordered.parts else {
        return try value.encode(to: SortingEncoder(base: encoder))
      }
      var container = encoder.unkeyedContainer()
      let sorted = try parts.map { part in
        let json = part.map(SortedJSON.init)
        return (key: try json[0].bytes(), json)
      }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      for (_, json) in sorted { for value in json { try container.encode(value) } }
    default:
      try value.encode(to: SortingEncoder(base: encoder))
    }
  }
}

/// A collection whose elements have no defined order.
private protocol UnorderedEncodable {
  /// Each element, or each key with its value; `nil` if they are encoded with coding keys.
  var parts: [[any Encodable]]? { get }
}

extension Set: UnorderedEncodable where Element: Encodable {
  var parts: [[any Encodable]]? { map { [$0] } }
}

extension Dictionary: UnorderedEncodable where Key: Encodable, Value: Encodable {
  var parts: [[any Encodable]]? {
    let hasCodingKeys =
      Key.self == String.self || Key.self == Int.self
      || Key.self is any CodingKeyRepresentable.Type
    return hasCodingKeys ? nil : map { [$0.key, $0.value] }
  }
}

/// A type that encodes itself as a single value, which has no parts to put in order.
private protocol JSONScalar {}
extension Bool: JSONScalar {}
extension String: JSONScalar {}
extension Double: JSONScalar {}
extension Float: JSONScalar {}
extension Int: JSONScalar {}
extension Int8: JSONScalar {}
extension Int16: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension Int128: JSONScalar {}
extension UInt: JSONScalar {}
extension UInt8: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension UInt64: JSONScalar {}
extension UInt128: JSONScalar {}

/// Passes values on to another encoder, with their sets and dictionaries in order.
private struct SortingEncoder: Encoder {
  let base: any Encoder

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(SortingKeyed(base: base.container(keyedBy: type)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    SortingUnkeyed(base: base.unkeyedContainer())
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SortingSingle(base: base.singleValueContainer())
  }
}

private struct SortingKeyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
  var base: KeyedEncodingContainer<Key>

  var codingPath: [any CodingKey] { base.codingPath }

  mutating func encodeNil(forKey key: Key) throws { try base.encodeNil(forKey: key) }

  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try base.encode(SortedJSON(value), forKey: key)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(
      SortingKeyed<NestedKey>(base: base.nestedContainer(keyedBy: type, forKey: key)))
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    SortingUnkeyed(base: base.nestedUnkeyedContainer(forKey: key))
  }

  mutating func superEncoder() -> any Encoder { SortingEncoder(base: base.superEncoder()) }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    SortingEncoder(base: base.superEncoder(forKey: key))
  }
}

private struct SortingUnkeyed: UnkeyedEncodingContainer {
  var base: any UnkeyedEncodingContainer

  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int { base.count }

  mutating func encodeNil() throws { try base.encodeNil() }

  mutating func encode<T: Encodable>(_ value: T) throws { try base.encode(SortedJSON(value)) }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(SortingKeyed<NestedKey>(base: base.nestedContainer(keyedBy: type)))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    SortingUnkeyed(base: base.nestedUnkeyedContainer())
  }

  mutating func superEncoder() -> any Encoder { SortingEncoder(base: base.superEncoder()) }
}

private struct SortingSingle: SingleValueEncodingContainer {
  var base: any SingleValueEncodingContainer

  var codingPath: [any CodingKey] { base.codingPath }

  mutating func encodeNil() throws { try base.encodeNil() }
  mutating func encode<T: Encodable>(_ value: T) throws { try base.encode(SortedJSON(value)) }
}
