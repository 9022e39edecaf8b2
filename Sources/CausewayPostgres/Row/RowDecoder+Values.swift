import CPostgres
import CausewayDatabase
import Foundation

extension RowDecoder {
  /// The text of a value, which ends with a NUL; it is valid as long as the result.
  private func bytes(at column: Int32) -> UnsafeBufferPointer<UInt8> {
    let length = Int(PQgetlength(result.handle, row, column))
    return PQgetvalue(result.handle, row, column).withMemoryRebound(
      to: UInt8.self, capacity: length
    ) { UnsafeBufferPointer(start: $0, count: length) }
  }

  private func string(at column: Int32) -> String {
    String(decoding: bytes(at: column), as: UTF8.self)
  }

  func integer(at column: Int32) throws -> Int64 {
    guard !isNull(at: column) else { throw mismatch(at: column, expected: "an integer") }
    switch form(of: column) {
    case .integer:
      if let value = Int64(decimal: bytes(at: column)) { return value }
    case .flag:
      return bytes(at: column).first == UInt8(ascii: "t") ? 1 : 0
    case .real, .decimal:
      let text = string(at: column)
      if let value = Int64(text) { return value }
      if let real = Double(text), let exact = Int64(exactly: real) { return exact }
    case .bytes, .text, .time:
      break
    }
    throw mismatch(at: column, expected: "an integer")
  }

  func bool(at column: Int32) throws -> Bool {
    // A bound truth value without a column has no type on the server, which returns it as text.
    if !isNull(at: column), form(of: column) == .text {
      switch string(at: column) {
      case "0": return false
      case "1": return true
      default: throw mismatch(at: column, expected: "a truth value")
      }
    }
    return try integer(at: column) != 0
  }

  func integer<Value: FixedWidthInteger>(_ type: Value.Type, at column: Int32) throws -> Value {
    if let value = Value(exactly: try integer(at: column)) { return value }
    throw mismatch(at: column, expected: "an integer that fits \(type)")
  }

  func real(at column: Int32) throws -> Double {
    if !isNull(at: column) {
      switch form(of: column) {
      case .integer, .real, .decimal:
        if let value = Double(string(at: column)) { return value }
      case .flag, .bytes, .text, .time:
        break
      }
    }
    throw mismatch(at: column, expected: "a number")
  }

  func float(at column: Int32) throws -> Float {
    let real = try real(at: column)
    let value = Float(real)
    if value.isFinite || !real.isFinite { return value }
    throw mismatch(at: column, expected: "a number that fits Float")
  }

  func text(at column: Int32) throws -> String {
    if !isNull(at: column) {
      switch form(of: column) {
      case .text, .time, .decimal: return string(at: column)
      case .integer, .real, .flag, .bytes: break
      }
    }
    throw mismatch(at: column, expected: "text")
  }

  func blob(at column: Int32) throws -> [UInt8] {
    guard !isNull(at: column), form(of: column) == .bytes,
      let blob = [UInt8](hexadecimal: bytes(at: column).dropFirst(2))
    else { throw mismatch(at: column, expected: "bytes") }
    return blob
  }

  private func uuid(at column: Int32) throws -> UUID {
    if form(of: column) == .bytes {
      let bytes = try blob(at: column)
      if bytes.count == 16 {
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
      }
    } else if let uuid = UUID(uuidString: try text(at: column)) {
      return uuid
    }
    throw mismatch(at: column, expected: "a UUID as 36 characters or 16 bytes")
  }

  private func date(at column: Int32) throws -> Date {
    if !isNull(at: column) {
      switch form(of: column) {
      case .time:
        if let date = ServerTime.date(string(at: column)) { return date }
      // A bound date without a column has no type on the server, which returns it as text.
      case .text:
        if let seconds = Double(string(at: column)), seconds.isFinite {
          return Date(timeIntervalSinceReferenceDate: seconds)
        }
      case .integer, .real, .decimal:
        let seconds = try real(at: column)
        if seconds.isFinite { return Date(timeIntervalSinceReferenceDate: seconds) }
      case .flag, .bytes:
        break
      }
    }
    throw mismatch(at: column, expected: "a finite date")
  }

  private func decimal(at column: Int32) throws -> Decimal {
    if !isNull(at: column) {
      switch form(of: column) {
      case .integer, .real, .decimal, .text:
        if let value = Decimal(digits: string(at: column)) { return value }
      case .flag, .time, .bytes:
        break
      }
    }
    throw mismatch(at: column, expected: "a decimal number")
  }

  /// Decodes a value of a type that is stored in a form other than its `Decodable` form.
  ///
  /// Returns `nil` for all other types.
  func storedValue<T>(_ type: T.Type, at column: Int32) throws -> T? {
    if type == Date.self { return try date(at: column) as? T }
    if type == Decimal.self { return try decimal(at: column) as? T }
    if type == UUID.self { return try uuid(at: column) as? T }
    if type == Data.self { return try Data(blob(at: column)) as? T }
    if type == [UInt8].self { return try blob(at: column) as? T }
    return nil
  }

  /// Decodes a value of any type: as a single value if possible, otherwise from JSON text.
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

  /// Makes an error that names the column and the form of its value, but not the value.
  func mismatch(at column: Int32, expected: String) -> PersistenceError {
    let found =
      if isNull(at: column) {
        "NULL"
      } else {
        switch form(of: column) {
        case .integer: "an integer"
        case .real: "a real number"
        case .decimal: "a decimal number"
        case .time: "a time"
        case .flag: "a boolean"
        case .bytes: "bytes"
        case .text: "text"
        }
      }
    let name = names.indices.contains(Int(column)) ? names[Int(column)] : "?"
    return PersistenceError(
      .decoding, message: "Column \"\(name)\" holds \(found) where \(expected) is needed")
  }
}

extension Int64 {
  /// Reads a decimal number; returns `nil` for anything else.
  fileprivate init?(decimal bytes: UnsafeBufferPointer<UInt8>) {
    let isNegative = bytes.first == UInt8(ascii: "-")
    var value: Int64 = 0
    for byte in isNegative ? bytes.dropFirst() : bytes[...] {
      guard (0x30...0x39).contains(byte) else { return nil }
      let (product, overflows) = value.multipliedReportingOverflow(by: 10)
      let digit = Int64(byte - 0x30)
      let (sum, isTooLarge) =
        isNegative
        ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      guard !overflows, !isTooLarge else { return nil }
      value = sum
    }
    self = value
  }
}

extension [UInt8] {
  /// Reads pairs of hexadecimal digits; returns `nil` for anything else.
  fileprivate init?(hexadecimal digits: Slice<UnsafeBufferPointer<UInt8>>) {
    guard digits.count.isMultiple(of: 2) else { return nil }
    self.init()
    reserveCapacity(digits.count / 2)
    var high: UInt8?
    for digit in digits {
      let value: UInt8
      switch digit {
      case 0x30...0x39: value = digit - 0x30
      case 0x61...0x66: value = digit - 0x61 + 10
      default: return nil
      }
      if let first = high {
        append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
  }
}
