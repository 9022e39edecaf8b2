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
}
