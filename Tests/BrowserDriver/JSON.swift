/// A JSON value as the browser's debugging protocol exchanges it.
public enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// The member with the name, or `nil` if there is none.
  public subscript(name: String) -> JSON? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The text, if the value is a string.
  public var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number, if the value is a number.
  public var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }
}

extension JSON: Codable {
  /// Reads any JSON value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Objects are tried first: most values are objects or strings, and each failed attempt throws.
    if let members = try? container.decode([String: JSON].self) {
      self = .object(members)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let flag = try? container.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let elements = try? container.decode([JSON].self) {
      self = .array(elements)
    } else {
      self = .null
    }
  }

  /// Writes integers without a fraction.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let flag): try container.encode(flag)
    case .number(let number):
      // The protocol rejects 1.0 in place of an integer.
      if let integer = Int(exactly: number) {
        try container.encode(integer)
      } else {
        try container.encode(number)
      }
    case .string(let text): try container.encode(text)
    case .array(let elements): try container.encode(elements)
    case .object(let members): try container.encode(members)
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByDictionaryLiteral
{
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A flag.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A number.
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  /// A number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// The elements in this order.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// The members; the last one of a name counts.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}
