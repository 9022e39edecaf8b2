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

  func value(at column: Int32) throws -> SQLValue {
    switch sqlite3_column_type(row, column) {
    case SQLITE_NULL: .null
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(row, column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(row, column))
    case SQLITE_TEXT: .text(try text(at: column))
    default: .blob([UInt8](blob(at: column)))
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
    let type = sqlite3_column_type(row, column)
    if type == SQLITE_FLOAT || (type == SQLITE_INTEGER && storesWholeNumbers(column)),
      let date = Date(storedSeconds: sqlite3_column_double(row, column))
    {
      return date
    }
    throw mismatch(
      at: column, expected: "a date as a real number, the seconds since 2001 until the year 9999")
  }

  /// Whether a column stores whole real numbers as integers, like a column of type `TIMESTAMP`.
  ///
  /// The name of the type determines it. Other columns have an integer only if a program has stored
  /// an integer, or if they are declared for integers.
  private func storesWholeNumbers(_ column: Int32) -> Bool {
    guard let type = sqlite3_column_decltype(row, column).map({ String(cString: $0).uppercased() })
    else { return false }
    return !["INT", "CHAR", "CLOB", "TEXT", "BLOB", "REAL", "FLOA", "DOUB"]
      .contains(where: type.contains)
  }

  private func blob(at column: Int32) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: sqlite3_column_blob(row, column), count: Int(sqlite3_column_bytes(row, column)))
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
    // If the bytes were not UTF-8, the text has other bytes.
    let isSame = utf8.withContiguousStorageIfAvailable { own in
      guard own.count == bytes.count, let start = own.baseAddress, let other = bytes.baseAddress
      else { return own.isEmpty && bytes.isEmpty }
      return memcmp(start, other, own.count) == 0
    }
    guard isSame ?? utf8.elementsEqual(bytes) else { return nil }
  }
}
