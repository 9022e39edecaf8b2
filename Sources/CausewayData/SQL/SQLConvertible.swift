public import Foundation

/// A type whose values can be bound to a statement.
///
/// `UInt64` and `UInt` do not conform, because a database integer cannot store half of their
/// values.
public protocol SQLConvertible {
  /// The value as the database stores it.
  var sqlValue: SQLValue { get }
}

extension SQLValue: SQLConvertible {
  /// The value itself.
  public var sqlValue: SQLValue { self }
}

extension SQLConvertible where Self: FixedWidthInteger & SignedInteger {
  /// The number as a database integer.
  public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Int: SQLConvertible {}
extension Int64: SQLConvertible {}
extension Int32: SQLConvertible {}
extension Int16: SQLConvertible {}
extension Int8: SQLConvertible {}

extension UInt32: SQLConvertible {
  /// The number as a database integer.
  public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension UInt16: SQLConvertible {
  /// The number as a database integer.
  public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension UInt8: SQLConvertible {
  /// The number as a database integer.
  public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Bool: SQLConvertible {
  /// 1 for true, 0 for false.
  public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension Double: SQLConvertible {
  /// The number unchanged.
  public var sqlValue: SQLValue { .real(self) }
}

extension Float: SQLConvertible {
  /// The number with the precision of `Double`.
  public var sqlValue: SQLValue { .real(Double(self)) }
}

extension String: SQLConvertible {
  /// The text unchanged.
  public var sqlValue: SQLValue { .text(self) }
}

extension Substring: SQLConvertible {
  /// The text unchanged.
  public var sqlValue: SQLValue { .text(String(self)) }
}

extension [UInt8]: SQLConvertible {
  /// The bytes unchanged.
  public var sqlValue: SQLValue { .blob(self) }
}

extension Data: SQLConvertible {
  /// The bytes unchanged.
  public var sqlValue: SQLValue { .blob([UInt8](self)) }
}

extension UUID: SQLConvertible {
  /// The 36 characters of `uuidString`, in upper case.
  public var sqlValue: SQLValue { .text(uuidString) }
}

extension Date: SQLConvertible {
  /// The seconds since 1 January 2001 UTC, as a real number.
  ///
  /// A `Date` itself stores this number, so reading returns exactly the same date, and dates sort
  /// as numbers. Declare the column as `REAL`. In SQL, `datetime(column + 978307200, 'unixepoch')`
  /// returns the date as text.
  public var sqlValue: SQLValue { .real(timeIntervalSinceReferenceDate) }
}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
  /// The wrapped value, or NULL.
  public var sqlValue: SQLValue { self?.sqlValue ?? .null }
}
