/// The columns of a row by coding key.
///
/// The common types have their own functions, because the generic function looks up a protocol
/// conformance for each value.
struct KeyedRow<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: RowDecoder

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { decoder.columns.names.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool {
    decoder.columns.column(key.stringValue) != ColumnNames.missing
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    decoder.row.isNull(at: try decoder.column(key.stringValue))
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try decoder.row.bool(at: decoder.column(key.stringValue))
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try decoder.integer(type, at: decoder.column(key.stringValue))
  }

  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try decoder.row.integer(at: decoder.column(key.stringValue))
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try decoder.row.real(at: decoder.column(key.stringValue))
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try decoder.row.text(at: decoder.column(key.stringValue))
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoder.value(type, at: decoder.column(key.stringValue))
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try decoder.presentColumn(key.stringValue).map { try decoder.row.bool(at: $0) }
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try decoder.presentColumn(key.stringValue).map { try decoder.integer(type, at: $0) }
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try decoder.presentColumn(key.stringValue).map { try decoder.row.integer(at: $0) }
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try decoder.presentColumn(key.stringValue).map { try decoder.row.real(at: $0) }
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try decoder.presentColumn(key.stringValue).map { try decoder.row.text(at: $0) }
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try decoder.presentColumn(key.stringValue).map { try decoder.value(type, at: $0) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    throw decoder.row.mismatch(
      at: try decoder.column(key.stringValue), expected: "a type of its own, not a container")
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw decoder.row.mismatch(
      at: try decoder.column(key.stringValue), expected: "a type of its own, not a container")
  }

  func superDecoder() throws -> any Decoder { decoder }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    ColumnDecoder(decoder: decoder, column: try decoder.column(key.stringValue))
  }
}
