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
  /// The truth value; a column of integers stores 1 or 0.
  public var sqlValue: SQLValue { .boolean(self) }
}

extension Double: SQLConvertible {
  /// The number unchanged.
  public var sqlValue: SQLValue { .real(self) }
}

extension Float: SQLConvertible {
  /// The number with the precision of `Double`.
  public var sqlValue: SQLValue { .real(Double(self)) }
}

extension Decimal: SQLConvertible {
  /// The decimal digits as text, which a `NUMERIC` column stores as a number.
  ///
  /// SQLite keeps about 15 digits of a number. Declare the column as `TEXT` to keep more.
  public var sqlValue: SQLValue { isNaN ? .real(.nan) : .text(description) }
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
  /// The UUID, which SQLite stores as the 36 characters of `uuidString`, in upper case.
  public var sqlValue: SQLValue { .uuid(self) }
}

extension Date: SQLConvertible {
  /// The date; a column of numbers stores the seconds since 1 January 2001 UTC.
  ///
  /// A `Date` itself stores this number, so reading returns exactly the same date, and dates sort
  /// as numbers. Declare the column as `REAL`. In SQLite, `datetime(column + 978307200,
  /// 'unixepoch')` returns the date as text. A `TIMESTAMPTZ` column of PostgreSQL stores the date
  /// to the microsecond.
  public var sqlValue: SQLValue { .date(self) }
}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
  /// The wrapped value, or NULL.
  public var sqlValue: SQLValue { self?.sqlValue ?? .null }
}
