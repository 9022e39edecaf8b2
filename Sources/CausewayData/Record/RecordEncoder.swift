/// Encodes a record as columns, one for each coding key.
struct RecordEncoder: Encoder {
  let columns: RecordColumns

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedRecord<Key>(columns: columns))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    RefusedContainer(reason: .notARecord)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    RefusedContainer(reason: .notARecord)
  }
}

/// The columns of a record by coding key.
///
/// Absent optionals become NULL, so all records of a type have the same columns.
struct KeyedRecord<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let columns: RecordColumns

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

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try store(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try store(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try store(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try store(value, key) }

  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    columns.append(try value.map { try SQLValue(storing: $0) } ?? .null, key.stringValue)
  }

  private func store(_ value: (some SQLConvertible)?, _ key: Key) throws {
    columns.append(value?.sqlValue ?? .null, key.stringValue)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(RefusedKeyedContainer<NestedKey>(reason: .nested))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    RefusedContainer(reason: .nested)
  }

  func superEncoder() -> any Encoder { RecordEncoder(columns: columns) }

  func superEncoder(forKey key: Key) -> any Encoder { RecordEncoder(columns: columns) }
}
