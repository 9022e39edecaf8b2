/// The columns of a row by coding key.
///
/// The common types have their own functions, because the generic function looks up a protocol
/// conformance for each value.
struct KeyedRow<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: RowDecoder
  // Copies of the decoder's properties, which are read for each value.
  private let row: any RowValues
  private let columns: ColumnNames

  init(decoder: RowDecoder) {
    self.decoder = decoder
    row = decoder.row
    columns = decoder.columns
  }

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { columns.names.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool {
    columns.column(key.stringValue) != ColumnNames.missing
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    row.isNull(at: try column(key))
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try row.bool(at: column(key))
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try decoder.integer(type, at: column(key))
  }

  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try row.integer(at: column(key))
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try row.real(at: column(key))
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try row.text(at: column(key))
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoder.value(type, at: column(key))
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try presentColumn(key).map { try row.bool(at: $0) }
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try presentColumn(key).map { try decoder.integer(type, at: $0) }
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try presentColumn(key).map { try row.integer(at: $0) }
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try presentColumn(key).map { try row.real(at: $0) }
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try presentColumn(key).map { try row.text(at: $0) }
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try presentColumn(key).map { try decoder.value(type, at: $0) }
  }

  /// Returns the index of a key's column.
  private func column(_ key: Key) throws -> Int32 {
    let column = columns.column(key.stringValue)
    if column >= 0 { return column }
    throw decoder.fault(column, key.stringValue)
  }

  /// Returns the index of a key's column if it has a value, for optional properties.
  private func presentColumn(_ key: Key) throws -> Int32? {
    let column = columns.column(key.stringValue)
    if column == ColumnNames.missing { return nil }
    if column == ColumnNames.ambiguous { throw decoder.fault(column, key.stringValue) }
    return row.isNull(at: column) ? nil : column
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    throw row.mismatch(
      at: try column(key), expected: "a type of its own, not a container")
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw row.mismatch(
      at: try column(key), expected: "a type of its own, not a container")
  }

  func superDecoder() throws -> any Decoder { decoder }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    ColumnDecoder(decoder: decoder, column: try column(key))
  }
}
