public import CausewayData
public import Foundation

/// A date in a column with seconds since 1970, such as the end of an invitation.
///
/// ```swift
/// @TimeColumn public var end: Date
/// ```
///
/// Other forms, such as JSON, have the date itself.
@propertyWrapper public struct TimeColumn: SQLReadable, Codable, Hashable, Sendable {
  /// The date.
  public var wrappedValue: Date

  /// Makes the value of a column.
  public init(wrappedValue: Date) { self.wrappedValue = wrappedValue }

  /// The seconds since 1970.
  public var sqlValue: SQLValue { .real(wrappedValue.timeIntervalSince1970) }

  /// Reads a number of seconds.
  public init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .real(let seconds): self.init(wrappedValue: Date(timeIntervalSince1970: seconds))
    case .integer(let seconds):
      self.init(wrappedValue: Date(timeIntervalSince1970: Double(seconds)))
    default: return nil
    }
  }

  /// Decodes a date.
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Date.self))
  }

  /// Encodes the date.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}
