import CausewaySystem
public import Foundation

/// A value that a database stores or a statement binds.
public enum SQLValue: Sendable, Hashable {
  /// No value.
  case null
  /// A truth value; a column of integers gets 1 or 0.
  case boolean(Bool)
  /// A whole number.
  case integer(Int64)
  /// A floating-point number in double precision.
  case real(Double)
  /// Unicode text.
  case text(String)
  /// Bytes.
  case blob([UInt8])
  /// A date; a column of numbers gets the seconds since 1 January 2001 UTC.
  case date(Date)
  /// A UUID; SQLite gets its 36 characters in upper case.
  case uuid(UUID)
}

extension SQLValue {
  func hasSameBytes(as other: SQLValue) -> Bool {
    switch (self, other) {
    case (.text(let text), .text(let other)): text.hasSameBytes(as: other)
    case (.real(let real), .real(let other)): real.bitPattern == other.bitPattern
    case (.date(let date), .date(let other)):
      date.timeIntervalSinceReferenceDate.bitPattern
        == other.timeIntervalSinceReferenceDate.bitPattern
    default: self == other
    }
  }

  /// Whether a database returns this value as `other`.
  ///
  /// SQLite returns truth values as integers, dates as real numbers, and UUIDs as texts.
  func isStored(as other: SQLValue) -> Bool {
    switch (self, other) {
    case (.boolean(let flag), .integer(let integer)): integer == (flag ? 1 : 0)
    case (.date(let date), .real(let real)): date.timeIntervalSinceReferenceDate == real
    case (.uuid(let uuid), .text(let text)): UUID(uuidString: text) == uuid
    case (.real(let real), .text(let text)): Double(text) == real
    case (.real(let real), .integer(let integer)): Double(integer) == real
    case (.integer(let integer), .text(let text)): Int64(text) == integer
    default: self == other
    }
  }
}

extension SQLValue {
  /// Returns the JSON of a list; numbers that JSON does not have are texts.
  package static func json(of values: [SQLValue]) -> String {
    "[" + values.map(\.json).joined(separator: ",") + "]"
  }

  private var json: String {
    switch self {
    case .null: "null"
    case .boolean(let flag): flag ? "true" : "false"
    case .integer(let integer): "\(integer)"
    case .real(let real): real.isFinite ? "\(real)" : "\"\(real)\""
    case .date(let date):
      SQLValue.real(date.timeIntervalSinceReferenceDate).json
    case .blob(let bytes): "\"\(Data(bytes).base64EncodedString())\""
    case .uuid(let uuid): "\"\(uuid.uuidString)\""
    case .text(let text):
      // A text can always be encoded.
      (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
  }
}
