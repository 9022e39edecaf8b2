import Foundation

extension SQLValue {
  /// Makes the value to store in the column of a property.
  init<T: Encodable>(storing value: T) throws {
    if let convertible = value as? any SQLConvertible {
      self = convertible.sqlValue
      return
    }
    let encoder = ColumnEncoder()
    do {
      try value.encode(to: encoder)
      if let stored = encoder.stored, !encoder.isStructured {
        self = stored
        return
      }
    } catch is JSONExpected {}
    self = .text(String(decoding: try SortedJSON(value).bytes(), as: UTF8.self))
  }
}

extension SQLValue {
  /// The reason why no database can store the value; `nil` if it can be stored.
  package var refusal: String? {
    switch self {
    case .real(let real) where real.isNaN: "NaN cannot be stored"
    case .date(let date) where !date.timeIntervalSinceReferenceDate.isFinite:
      "A date that is not finite cannot be stored"
    default: nil
    }
  }
}

extension PersistenceError {
  /// A date that a column of numbers would not return.
  package static func dateOutOfRange(sql: String?) -> PersistenceError {
    PersistenceError(
      .encoding, message: "A date that is not finite or beyond the year 9999 cannot be stored",
      sql: sql)
  }
}

extension Decimal {
  /// Reads decimal digits with an optional exponent; returns `nil` for anything else.
  ///
  /// A number with more than 38 significant digits would be rounded, so it is refused too.
  package init?(digits: String) {
    let isNumber = digits.utf8.allSatisfy {
      (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0)
    }
    let mantissa = digits.utf8.prefix { $0 != 0x45 && $0 != 0x65 }
      .filter { (0x30...0x39).contains($0) }
      .drop { $0 == 0x30 }
    let count = mantissa.count - mantissa.reversed().prefix { $0 == 0x30 }.count
    guard isNumber, count <= 38, let value = Decimal(string: digits, locale: Self.digitsLocale)
    else {
      return nil
    }
    self = value
  }

  private static let digitsLocale = Locale(identifier: "en_US_POSIX")
}

/// Encodes a single value, such as the raw value of an enumeration.
private final class ColumnEncoder: Encoder, SingleValueEncodingContainer {
  private(set) var stored: SQLValue?
  /// Whether a keyed or unkeyed container was created.
  ///
  /// An empty container throws no error by itself.
  private(set) var isStructured = false

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    isStructured = true
    return KeyedEncodingContainer(RefusedKeyedContainer<Key>(reason: .json))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    isStructured = true
    return RefusedContainer(reason: .json)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() throws { stored = .null }
  func encode(_ value: UInt) throws { try encode(UInt64(value)) }

  func encode(_ value: UInt64) throws {
    guard let integer = Int64(exactly: value) else {
      throw PersistenceError(
        .encoding, message: "An unsigned integer is larger than \(Int64.max)")
    }
    stored = .integer(integer)
  }

  func encode<T: Encodable>(_ value: T) throws {
    stored = try SQLValue(storing: value)
  }
}
