/// The columns of a row by coding key.
///
/// The common types have their own functions, because the generic function looks up a protocol
/// conformance for each value.
struct KeyedRow<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: RowDecoder

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { row.names.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool {
    row.contains(key.stringValue)
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    row.isNull(at: try row.column(key.stringValue))
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try row.bool(at: row.column(key.stringValue))
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try row.integer(type, at: row.column(key.stringValue))
  }

  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try row.integer(at: row.column(key.stringValue))
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try row.real(at: row.column(key.stringValue))
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try row.text(at: row.column(key.stringValue))
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try row.value(type, at: row.column(key.stringValue))
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try row.presentColumn(key.stringValue).map { try row.bool(at: $0) }
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try row.presentColumn(key.stringValue).map { try row.integer(type, at: $0) }
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try row.presentColumn(key.stringValue).map { try row.integer(at: $0) }
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try row.presentColumn(key.stringValue).map { try row.real(at: $0) }
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try row.presentColumn(key.stringValue).map { try row.text(at: $0) }
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try row.presentColumn(key.stringValue).map { try row.value(type, at: $0) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    throw row.mismatch(
      at: try row.column(key.stringValue), expected: "a type of its own, not a container")
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw row.mismatch(
      at: try row.column(key.stringValue), expected: "a type of its own, not a container")
  }

  func superDecoder() throws -> any Decoder { row }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    ColumnDecoder(row: row, column: try row.column(key.stringValue))
  }
}
