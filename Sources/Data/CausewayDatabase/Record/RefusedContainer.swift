/// The reason why a record cannot be encoded.
///
/// An `Encoder` cannot throw when it returns a container. So it returns this container, which
/// throws when a value is encoded.
enum Refusal {
  case notARecord
  case nested
  case json

  var error: any Error {
    switch self {
    case .notARecord:
      PersistenceError(.encoding, message: "Only a type with coding keys can become a row")
    case .nested:
      PersistenceError(
        .encoding, message: "A nested container has no column; give it a type of its own")
    case .json:
      JSONExpected()
    }
  }
}

/// An unkeyed or single-value container that throws for every value.
struct RefusedContainer: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  let reason: Refusal

  var codingPath: [any CodingKey] { [] }
  var count: Int { 0 }

  func encodeNil() throws { throw reason.error }
  func encode<T: Encodable>(_ value: T) throws { throw reason.error }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(RefusedKeyedContainer<NestedKey>(reason: reason))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { RefusedEncoder(reason: reason) }
}

/// A keyed container that throws for every value.
struct RefusedKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let reason: Refusal

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { throw reason.error }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { throw reason.error }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(RefusedKeyedContainer<NestedKey>(reason: reason))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    RefusedContainer(reason: reason)
  }

  func superEncoder() -> any Encoder { RefusedEncoder(reason: reason) }
  func superEncoder(forKey key: Key) -> any Encoder { RefusedEncoder(reason: reason) }
}

private struct RefusedEncoder: Encoder {
  let reason: Refusal

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RefusedKeyedContainer<Key>(reason: reason))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { RefusedContainer(reason: reason) }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    RefusedContainer(reason: reason)
  }
}

/// Thrown for a value that needs a keyed or an unkeyed container.
///
/// The caller then stores the value as JSON.
package struct JSONExpected: Error {
  package init() {}
}
