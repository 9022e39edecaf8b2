/// Encodes a record as columns, one for each coding key.
///
/// The same instance encodes all records.
final class RecordEncoder: Encoder {
  let columns: ColumnValues
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  /// The container that was used for the previous record.
  ///
  /// A type encodes every record through the same container.
  private var held: AnyObject?
  private var heldKey: ObjectIdentifier?

  init(_ columns: ColumnValues) {
    self.columns = columns
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if heldKey == ObjectIdentifier(type), let held {
      // A container's type depends only on the type of its key.
      return unsafeDowncast(held, to: Held<Key>.self).container
    }
    let container = KeyedEncodingContainer(KeyedRecord<Key>(columns: columns))
    held = Held(container)
    heldKey = ObjectIdentifier(type)
    return container
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    RefusedContainer(reason: .notARecord)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    RefusedContainer(reason: .notARecord)
  }
}

private final class Held<Key: CodingKey> {
  let container: KeyedEncodingContainer<Key>

  init(_ container: KeyedEncodingContainer<Key>) {
    self.container = container
  }
}

/// The columns of a record by coding key.
///
/// Absent optionals become NULL, so all records of a type have the same columns.
struct KeyedRecord<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let columns: ColumnValues

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { columns.append(.null, key.stringValue) }

  func encode(_ value: Bool, forKey key: Key) throws {
    columns.append(.boolean(value), key.stringValue)
  }

  func encode(_ value: Int, forKey key: Key) throws {
    columns.append(.integer(Int64(value)), key.stringValue)
  }

  func encode(_ value: Double, forKey key: Key) throws {
    columns.append(.real(value), key.stringValue)
  }

  func encode(_ value: String, forKey key: Key) throws {
    columns.append(.text(value), key.stringValue)
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    columns.append(try SQLValue(storing: value), key.stringValue)
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    guard let value else { return columns.append(.null, key.stringValue) }
    try encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    guard let value else { return columns.append(.null, key.stringValue) }
    try encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    guard let value else { return columns.append(.null, key.stringValue) }
    try encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    guard let value else { return columns.append(.null, key.stringValue) }
    try encode(value, forKey: key)
  }

  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    columns.append(try value.map { try SQLValue(storing: $0) } ?? .null, key.stringValue)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(RefusedKeyedContainer<NestedKey>(reason: .nested))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    RefusedContainer(reason: .nested)
  }

  func superEncoder() -> any Encoder { RecordEncoder(columns) }

  func superEncoder(forKey key: Key) -> any Encoder { RecordEncoder(columns) }
}
