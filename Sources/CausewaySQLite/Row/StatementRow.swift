import CSQLite
import CausewayDatabase
import Foundation

/// The values of a statement's current row.
final class StatementRow: RowValues {
  let row: OpaquePointer
  let columns: ColumnNames

  init(_ statement: Statement) {
    row = statement.handle
    columns = statement.columnNames
  }

  /// The value of a column; `nil` for a text that is not in UTF-8.
  func storedValue(at column: Int32) -> SQLValue? {
    switch sqlite3_column_type(row, column) {
    case SQLITE_NULL: return .null
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(row, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(row, column))
    case SQLITE_TEXT: return (try? text(at: column)).map(SQLValue.text)
    default: return (try? blob(at: column)).map { .blob([UInt8]($0)) }
    }
  }

  func column(_ name: String) -> Int32 { columns.column(name) }

  func isNull(at column: Int32) -> Bool {
    sqlite3_column_type(row, column) == SQLITE_NULL
  }

  func integer(at column: Int32) throws -> Int64 {
    switch sqlite3_column_type(row, column) {
    case SQLITE_INTEGER:
      return sqlite3_column_int64(row, column)
    case SQLITE_FLOAT:
      if let exact = Int64(exactly: sqlite3_column_double(row, column)) { return exact }
      fallthrough
    default:
      throw mismatch(at: column, expected: "an integer")
    }
  }

  func bool(at column: Int32) throws -> Bool { try integer(at: column) != 0 }

  func real(at column: Int32) throws -> Double {
    switch sqlite3_column_type(row, column) {
    case SQLITE_FLOAT, SQLITE_INTEGER: sqlite3_column_double(row, column)
    default: throw mismatch(at: column, expected: "a number")
    }
  }

  func text(at column: Int32) throws -> String {
    guard sqlite3_column_type(row, column) == SQLITE_TEXT else {
      throw mismatch(at: column, expected: "text")
    }
    let bytes = UnsafeBufferPointer(
      start: sqlite3_column_text(row, column), count: Int(sqlite3_column_bytes(row, column)))
    if let text = String(exactly: bytes) { return text }
    throw mismatch(at: column, expected: "text in UTF-8")
  }

  func date(at column: Int32) throws -> Date {
    let seconds = try real(at: column)
    guard seconds.isFinite else { throw mismatch(at: column, expected: "a finite date") }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  func data(at column: Int32) throws -> Data { Data(try blob(at: column)) }

  func bytes(at column: Int32) throws -> [UInt8] { [UInt8](try blob(at: column)) }

  private func blob(at column: Int32) throws -> UnsafeRawBufferPointer {
    guard sqlite3_column_type(row, column) == SQLITE_BLOB else {
      throw mismatch(at: column, expected: "bytes")
    }
    return UnsafeRawBufferPointer(
      start: sqlite3_column_blob(row, column), count: Int(sqlite3_column_bytes(row, column)))
  }

  func uuid(at column: Int32) throws -> UUID {
    if sqlite3_column_type(row, column) == SQLITE_BLOB {
      let bytes = try blob(at: column)
      if bytes.count == 16 { return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)) }
    } else if let uuid = UUID(uuidString: try text(at: column)) {
      return uuid
    }
    throw mismatch(at: column, expected: "a UUID as 36 characters or 16 bytes")
  }

  /// Decodes a number, or its digits as text.
  func decimal(at column: Int32) throws -> Decimal {
    switch sqlite3_column_type(row, column) {
    case SQLITE_INTEGER: return Decimal(sqlite3_column_int64(row, column))
    case SQLITE_FLOAT:
      // The shortest digits that give this number, not the digits of its binary value.
      if let value = Decimal(digits: "\(sqlite3_column_double(row, column))") { return value }
    default:
      if let value = Decimal(digits: try text(at: column)) { return value }
    }
    throw mismatch(at: column, expected: "a decimal number")
  }

  func form(at column: Int32) -> String {
    switch sqlite3_column_type(row, column) {
    case SQLITE_NULL: "NULL"
    case SQLITE_INTEGER: "an integer"
    case SQLITE_FLOAT: "a real number"
    case SQLITE_TEXT: "text"
    default: "bytes"
    }
  }
}

extension String {
  /// Makes a text from UTF-8; returns `nil` for other bytes.
  ///
  /// `String(validating:as:)` takes about five times as long, because it is not specialised.
  fileprivate init?(exactly bytes: UnsafeBufferPointer<UInt8>) {
    self.init(decoding: bytes, as: UTF8.self)
    // Where the bytes were not UTF-8, the text has other bytes.
    let isSame = utf8.withContiguousStorageIfAvailable { own in
      guard own.count == bytes.count, let start = own.baseAddress, let other = bytes.baseAddress
      else { return own.isEmpty && bytes.isEmpty }
      return memcmp(start, other, own.count) == 0
    }
    guard isSame ?? utf8.elementsEqual(bytes) else { return nil }
  }
}
