public import Foundation

/// A type that is read from a column in the same form in which it is bound to a statement.
///
/// ```swift
/// struct Price: SQLReadable, Codable {
///   var cents: Int64
///   var sqlValue: SQLValue { .integer(cents) }
///
///   init?(sqlValue: SQLValue) {
///     guard case .integer(let cents) = sqlValue else { return nil }
///     self.cents = cents
///   }
/// }
/// ```
///
/// A property of a record can have this type, and a query can return it. Without this protocol, a
/// type that is `SQLConvertible` and `Codable` is read if it consists of the stored value alone.
public protocol SQLReadable: SQLConvertible {
  /// Makes a value from the value of a column; `nil` if the column's value does not fit.
  ///
  /// SQLite has no truth values and no dates: it returns `integer` and `real` for them. Both
  /// databases return a UUID as `text`. PostgreSQL also returns the digits of a `NUMERIC` as
  /// `text`.
  init?(sqlValue: SQLValue)
}

extension UUID: SQLReadable {
  /// Reads 36 characters in upper or lower case, or 16 bytes.
  public init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .uuid(let uuid): self = uuid
    case .text(let text): self.init(uuidString: text)
    case .blob(let bytes) where bytes.count == 16:
      self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    default: return nil
    }
  }
}

extension Decimal: SQLReadable {
  /// Reads a number, or its digits as text.
  public init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .integer(let integer): self.init(integer)
    // The shortest digits that give this number, not the digits of its binary value.
    case .real(let real): self.init(digits: "\(real)")
    case .text(let text): self.init(digits: text)
    default: return nil
    }
  }
}

extension Date: SQLReadable {
  /// Reads a date, or the seconds since 1 January 2001 UTC as a real number.
  ///
  /// Integers and dates beyond the year 9999 are refused, because other programs store seconds or
  /// milliseconds since 1970 in this form.
  public init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .date(let date): self = date
    case .real(let seconds): self.init(storedSeconds: seconds)
    default: return nil
    }
  }

  /// Reads the seconds since 1 January 2001 UTC.
  ///
  /// Returns `nil` for a number that is not finite, or that is beyond the year 9999 in either
  /// direction. Another program has probably stored such a number in milliseconds.
  package init?(storedSeconds seconds: Double) {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    guard date.isStorableAsNumber else { return nil }
    self = date
  }

  /// Whether the date is read back from a column of numbers.
  package var isStorableAsNumber: Bool {
    timeIntervalSinceReferenceDate.magnitude < Self.endOfYear9999
  }

  private static let endOfYear9999 = 252_423_993_600.0
}

extension [UInt8]: SQLReadable {
  /// Reads bytes.
  public init?(sqlValue: SQLValue) {
    guard case .blob(let bytes) = sqlValue else { return nil }
    self = bytes
  }
}

extension Data: SQLReadable {
  /// Reads bytes.
  public init?(sqlValue: SQLValue) {
    guard case .blob(let bytes) = sqlValue else { return nil }
    self.init(bytes)
  }
}
