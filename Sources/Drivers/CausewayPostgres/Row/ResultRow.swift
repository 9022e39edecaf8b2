import CPostgres
import CausewayDatabase
import Foundation

/// The values of one row of a result, which the server sent as text.
final class ResultRow: RowValues {
  /// The form in which a column is read.
  fileprivate enum Form { case integer, real, decimal, flag, time, bytes, text }

  let columns: ColumnNames
  /// The row whose values are read.
  var index: Int32 = 0
  private let result: QueryResult
  private let forms: [Form]
  private let types: [Oid]

  init(_ result: QueryResult) {
    self.result = result
    let count = PQnfields(result.handle)
    columns = ColumnNames(
      (0..<count).map { PQfname(result.handle, $0).map { String(cString: $0) } ?? "" })
    types = (0..<count).map { PQftype(result.handle, $0) }
    forms = types.map { Form(type: $0) }
  }

  private func form(of column: Int32) -> Form { forms[Int(column)] }

  func column(_ name: String) -> Int32 { columns.column(name) }

  func isNull(at column: Int32) -> Bool { PQgetisnull(result.handle, index, column) == 1 }

  /// The text of a value, which ends with a NUL; it is valid as long as the result.
  private func characters(at column: Int32) -> UnsafeBufferPointer<UInt8> {
    let length = Int(PQgetlength(result.handle, index, column))
    return PQgetvalue(result.handle, index, column).withMemoryRebound(
      to: UInt8.self, capacity: length
    ) { UnsafeBufferPointer(start: $0, count: length) }
  }

  private func string(at column: Int32) -> String {
    String(decoding: characters(at: column), as: UTF8.self)
  }

  func integer(at column: Int32) throws -> Int64 {
    guard !isNull(at: column) else { throw mismatch(at: column, expected: "an integer") }
    switch form(of: column) {
    case .integer:
      if let value = Int64(decimal: characters(at: column)) { return value }
    case .flag:
      return characters(at: column).first == UInt8(ascii: "t") ? 1 : 0
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

  func text(at column: Int32) throws -> String {
    if !isNull(at: column) {
      switch form(of: column) {
      case .text, .time, .decimal: return string(at: column)
      case .integer, .real, .flag, .bytes: break
      }
    }
    throw mismatch(at: column, expected: "text")
  }

  func date(at column: Int32) throws -> Date {
    if !isNull(at: column) {
      switch form(of: column) {
      case .time:
        if let date = ServerTime.date(string(at: column)) { return date }
      // A bound date without a column has no type on the server, which returns it as text.
      case .text:
        // The number of a date contains a point or an exponent. The number of a year contains
        // neither.
        let text = string(at: column)
        if text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "e") }),
          let date = Double(text).flatMap(Date.init(storedSeconds:))
        {
          return date
        }
      case .real, .decimal:
        if let date = Date(storedSeconds: try real(at: column)) { return date }
      // Other programs store seconds or milliseconds since 1970 as integers.
      case .integer, .flag, .bytes:
        break
      }
    }
    throw mismatch(
      at: column,
      expected: "a date as a time, or as a real number (seconds since 2001 until the year 9999)")
  }

  func value(at column: Int32) throws -> SQLValue {
    if isNull(at: column) { return .null }
    switch form(of: column) {
    case .integer: return .integer(try integer(at: column))
    case .real: return .real(try real(at: column))
    case .flag: return .boolean(try bool(at: column))
    case .time:
      let text = string(at: column)
      return ServerTime.date(text).map(SQLValue.date) ?? .text(text)
    case .bytes:
      guard let bytes = [UInt8](hexadecimal: characters(at: column).dropFirst(2)) else {
        throw mismatch(at: column, expected: "bytes")
      }
      return .blob(bytes)
    case .decimal, .text: return .text(string(at: column))
    }
  }

  func arrayJSON(at column: Int32) -> String? {
    guard !isNull(at: column), form(of: column) == .text else { return nil }
    return ServerArray.json(
      ofLiteral: string(at: column), element: ServerArray.element(of: types[Int(column)]))
  }

  func form(at column: Int32) -> String {
    if isNull(at: column) { return "NULL" }
    return switch form(of: column) {
    case .integer: "an integer"
    case .real: "a real number"
    case .decimal: "a decimal number"
    case .time: "a time"
    case .flag: "a boolean"
    case .bytes: "bytes"
    case .text: "text"
    }
  }
}

extension ResultRow.Form {
  /// Chooses the form by the identifier of a type in `pg_type`.
  init(type: Oid) {
    self =
      switch type {
      case 16: .flag
      case 17: .bytes
      case 20, 21, 23, 26, 28, 5069: .integer
      case 700, 701: .real
      case 1700: .decimal
      case _ where ServerTime.isTime(type): .time
      default: .text
      }
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
