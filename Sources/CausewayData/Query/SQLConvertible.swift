public import Foundation

/// A type whose values can be bound to a statement.
///
/// Unsigned 64-bit integers are left out: half of their values do not fit a database integer.
public protocol SQLConvertible {
  /// The value as the database stores it.
  var sqlValue: SQLValue { get }
}

extension SQLValue: SQLConvertible {
  public var sqlValue: SQLValue { self }
}

extension SQLConvertible where Self: FixedWidthInteger & SignedInteger {
  public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Int: SQLConvertible {}
extension Int64: SQLConvertible {}
extension Int32: SQLConvertible {}
extension Int16: SQLConvertible {}
extension Int8: SQLConvertible {}

extension UInt32: SQLConvertible {
  public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension UInt16: SQLConvertible {
  public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension UInt8: SQLConvertible {
  public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Bool: SQLConvertible {
  public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension Double: SQLConvertible {
  public var sqlValue: SQLValue { .real(self) }
}

extension Float: SQLConvertible {
  public var sqlValue: SQLValue { .real(Double(self)) }
}

extension String: SQLConvertible {
  public var sqlValue: SQLValue { .text(self) }
}

extension Substring: SQLConvertible {
  public var sqlValue: SQLValue { .text(String(self)) }
}

extension [UInt8]: SQLConvertible {
  public var sqlValue: SQLValue { .blob(self) }
}

extension Data: SQLConvertible {
  public var sqlValue: SQLValue { .blob([UInt8](self)) }
}

extension UUID: SQLConvertible {
  /// The 36 characters of `uuidString`, in upper case.
  public var sqlValue: SQLValue { .text(uuidString) }
}

extension Date: SQLConvertible {
  /// The seconds since 1 January 2001 UTC, as a real number.
  ///
  /// This is the number that a `Date` consists of, so that it comes back bit for bit, and dates
  /// sort as numbers do. Declare the column `REAL`; in SQL, `datetime(column + 978307200,
  /// 'unixepoch')` shows it as text.
  public var sqlValue: SQLValue { .real(timeIntervalSinceReferenceDate) }
}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
  public var sqlValue: SQLValue { self?.sqlValue ?? .null }
}
