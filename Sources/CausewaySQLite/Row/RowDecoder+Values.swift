import CSQLite
import CausewayDatabase
import Foundation

extension RowDecoder {
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

  func integer<Value: FixedWidthInteger>(_ type: Value.Type, at column: Int32) throws -> Value {
    if let value = Value(exactly: try integer(at: column)) { return value }
    throw mismatch(at: column, expected: "an integer that fits \(type)")
  }

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

  func float(at column: Int32) throws -> Float {
    let real = try real(at: column)
    let value = Float(real)
    if value.isFinite || !real.isFinite { return value }
    throw mismatch(at: column, expected: "a number that fits Float")
  }

  func blob(at column: Int32) throws -> UnsafeRawBufferPointer {
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
  private func decimal(at column: Int32) throws -> Decimal {
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

  /// Whether the stored form of a type's values differs from the form that `Decodable` expects.
  static func isStored(_ type: any Any.Type) -> Bool {
    type == Date.self || type == UUID.self || type == Data.self || type == [UInt8].self
      || type == Decimal.self
  }

  /// Decodes a value of a type for which `isStored` is true.
  ///
  /// Returns `nil` for all other types.
  func storedValue<T>(_ type: T.Type, at column: Int32) throws -> T? {
    guard Self.isStored(type) else { return nil }
    if type == Date.self {
      let seconds = try real(at: column)
      guard seconds.isFinite else { throw mismatch(at: column, expected: "a finite date") }
      return Date(timeIntervalSinceReferenceDate: seconds) as? T
    }
    if type == Decimal.self { return try decimal(at: column) as? T }
    if type == UUID.self { return try uuid(at: column) as? T }
    if type == Data.self { return try Data(blob(at: column)) as? T }
    if type == [UInt8].self { return try [UInt8](blob(at: column)) as? T }
    return nil
  }

  /// Decodes a value of any other type: as a single value if possible, otherwise from JSON text.
  func value<T: Decodable>(_ type: T.Type, at column: Int32) throws -> T {
    if let value = try storedValue(type, at: column) { return value }
    do {
      return try T(from: ColumnDecoder(row: self, column: column))
    } catch is JSONExpected {
      let json = Data(try text(at: column).utf8)
      do {
        return try JSONDecoder().decode(type, from: json)
      } catch {
        throw mismatch(at: column, expected: "the JSON of \(type)")
      }
    } catch is DecodingError {
      throw mismatch(at: column, expected: "a value of \(type)")
    }
  }

  /// Makes an error that names the column and the type of its value, but not the value.
  func mismatch(at column: Int32, expected: String) -> PersistenceError {
    let found =
      switch sqlite3_column_type(row, column) {
      case SQLITE_NULL: "NULL"
      case SQLITE_INTEGER: "an integer"
      case SQLITE_FLOAT: "a real number"
      case SQLITE_TEXT: "text"
      default: "bytes"
      }
    let name = columns.names.indices.contains(Int(column)) ? columns.names[Int(column)] : "?"
    return PersistenceError(
      .decoding, message: "Column \"\(name)\" holds \(found) where \(expected) is needed")
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
