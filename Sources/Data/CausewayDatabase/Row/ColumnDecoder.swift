/// Decodes a single value from one column of the current row.
struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
  let values: RowConversion
  let column: Int32
  /// Whether each key decodes this column; if not, a type with keys is decoded from JSON.
  var hasKeys = false

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard hasKeys else { throw JSONExpected() }
    return KeyedDecodingContainer(
      ColumnOfKeys(column: ColumnDecoder(values: values, column: column)))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw JSONExpected()
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { values.row.isNull(at: column) }

  func decode(_ type: Bool.Type) throws -> Bool { try values.row.bool(at: column) }
  func decode(_ type: String.Type) throws -> String { try values.row.text(at: column) }
  func decode(_ type: Double.Type) throws -> Double { try values.row.real(at: column) }
  func decode(_ type: Float.Type) throws -> Float { try values.float(at: column) }
  func decode(_ type: Int.Type) throws -> Int { try values.integer(type, at: column) }
  func decode(_ type: Int8.Type) throws -> Int8 { try values.integer(type, at: column) }
  func decode(_ type: Int16.Type) throws -> Int16 { try values.integer(type, at: column) }
  func decode(_ type: Int32.Type) throws -> Int32 { try values.integer(type, at: column) }
  func decode(_ type: Int64.Type) throws -> Int64 { try values.integer(type, at: column) }
  func decode(_ type: UInt.Type) throws -> UInt { try values.integer(type, at: column) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try values.integer(type, at: column) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try values.integer(type, at: column) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try values.integer(type, at: column) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try values.integer(type, at: column) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try values.value(type, at: column)
  }
}

/// A container that returns the value of one column for every key.
private struct ColumnOfKeys<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let column: ColumnDecoder

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) throws -> Bool { column.decodeNil() }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try column.decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> { throw JSONExpected() }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw JSONExpected()
  }
  func superDecoder() throws -> any Decoder { column }
  func superDecoder(forKey key: Key) throws -> any Decoder { column }
}
