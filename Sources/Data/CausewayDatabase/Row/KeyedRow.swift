/// The columns of a row by coding key.
///
/// The common types have their own functions, because the generic function looks up a protocol
/// conformance for each value.
struct KeyedRow<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let values: RowConversion

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { values.row.columns.names.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool {
    values.row.column(key.stringValue) != ColumnNames.missing
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    values.row.isNull(at: try column(key))
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try values.row.bool(at: column(key))
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try values.integer(type, at: column(key))
  }

  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try values.row.integer(at: column(key))
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try values.row.real(at: column(key))
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try values.row.text(at: column(key))
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try values.value(type, at: column(key))
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try presentColumn(key).map { try values.row.bool(at: $0) }
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try presentColumn(key).map { try values.integer(type, at: $0) }
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try presentColumn(key).map { try values.row.integer(at: $0) }
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try presentColumn(key).map { try values.row.real(at: $0) }
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try presentColumn(key).map { try values.row.text(at: $0) }
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try presentColumn(key).map { try values.value(type, at: $0) }
  }

  /// Returns the index of a key's column.
  private func column(_ key: Key) throws -> Int32 {
    let column = values.row.column(key.stringValue)
    if column >= 0 { return column }
    throw values.fault(column, key.stringValue)
  }

  /// Returns the index of a key's column if it has a value, for optional properties.
  private func presentColumn(_ key: Key) throws -> Int32? {
    let column = values.row.column(key.stringValue)
    if column == ColumnNames.missing { return nil }
    if column == ColumnNames.ambiguous { throw values.fault(column, key.stringValue) }
    return values.row.isNull(at: column) ? nil : column
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    throw values.row.mismatch(
      at: try column(key), expected: "a type of its own, not a container")
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw values.row.mismatch(
      at: try column(key), expected: "a type of its own, not a container")
  }

  func superDecoder() throws -> any Decoder { RowDecoder(values.row) }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    ColumnDecoder(values: values, column: try column(key))
  }
}
