import CSQLite
import CausewayData

/// Decodes the row at which a statement stands; used again for each row.
final class RowDecoder: Decoder {
  let row: OpaquePointer
  let columns: ColumnNames
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ statement: Statement) {
    row = statement.handle
    columns = statement.columnNames
  }

  /// Decodes the current row: a single value from the first column, else by column name.
  func decode<T: Decodable>(_ type: T.Type, isStored: Bool) throws -> T {
    columns.beginRow()
    if isStored, let value = try storedValue(type, at: 0) { return value }
    return try T(from: self)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(KeyedRow<Key>(row: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw PersistenceError(.decoding, message: "A row cannot become a list")
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    ColumnDecoder(row: self, column: 0)
  }

  /// The column that a key names.
  func column(for key: some CodingKey) throws -> Int32 {
    let name = key.stringValue
    let column = columns.column(name)
    if column >= 0 { return column }
    let fault = column == ColumnNames.ambiguous ? "Several columns are" : "No column is"
    throw PersistenceError(
      .decoding,
      message: "\(fault) named \"\(name)\"; there are \(columns.names.joined(separator: ", "))")
  }

  /// The column that a key names if it has a value, for optional properties.
  func presentColumn(for key: some CodingKey) throws -> Int32? {
    let column = columns.column(key.stringValue)
    if column == ColumnNames.missing { return nil }
    if column == ColumnNames.ambiguous { return try self.column(for: key) }
    return sqlite3_column_type(row, column) == SQLITE_NULL ? nil : column
  }
}
