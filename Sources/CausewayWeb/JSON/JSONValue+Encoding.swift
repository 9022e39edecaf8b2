import Foundation

extension JSONValue {
  /// Encodes a value without a detour through text.
  ///
  /// Members that would be null are left out at every depth below an object, because a merge
  /// patch uses null to say "removed" and could not carry them (RFC 7396, section 1); elements of
  /// arrays keep their nulls. `Date` becomes ISO 8601 text with milliseconds, `Data` base64 text,
  /// `URL` its absolute text, `Decimal` a number.
  ///
  /// Throws whatever the value's `encode(to:)` throws, and `EncodingError` for numbers that JSON
  /// has no text for. Complexity: O(n) in the size of the value.
  package init(encoding value: some Encodable) throws {
    self = try ValueEncoder.encode(value, below: .root, key: nil)
  }
}

/// Builds a `JSONValue` from the calls of an `encode(to:)`.
///
/// An encoder lives for one value and never leaves the call that made it.
final class ValueEncoder: Encoder {
  /// What a container was asked to hold; nested containers are resolved when all is written.
  enum Slot {
    case value(JSONValue)
    case pending(ValueEncoder)

    var resolved: JSONValue {
      switch self {
      case .value(let value): value
      case .pending(let encoder): encoder.result
      }
    }
  }

  enum Content {
    case nothing
    case single(JSONValue)
    case elements([Slot])
    case members([String: Slot])
  }

  /// Where it is in the whole, without the encoder there, which may have this one in its content.
  indirect enum Path {
    case root
    case below(Path, any CodingKey)

    var keys: [any CodingKey] {
      switch self {
      case .root: []
      case .below(let path, let key): path.keys + [key]
      }
    }

    func adding(_ key: (any CodingKey)?) -> Path { key.map { .below(self, $0) } ?? self }
  }

  let path: Path
  var content = Content.nothing

  init(_ path: Path) {
    self.path = path
  }

  var codingPath: [any CodingKey] { path.keys }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  var result: JSONValue {
    switch content {
    case .nothing: .object([:])
    case .single(let value): value
    case .elements(let slots): .array(slots.map(\.resolved))
    case .members(let slots):
      .object(
        slots.compactMapValues { slot in
          let value = slot.resolved
          return value == .null ? nil : value
        })
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .nothing = content { content = .members([:]) }
    return KeyedEncodingContainer(MemberContainer<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .nothing = content { content = .elements([]) }
    return ElementContainer(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleContainer(encoder: self)
  }

  static func encode<Value: Encodable>(
    _ value: Value, below path: Path, key: (any CodingKey)?
  ) throws -> JSONValue {
    // Comparing types first is far cheaper than a row of failing casts for every nested value.
    if Value.self == String.self, let text = value as? String { return .string(text) }
    if Value.self == Date.self, let date = value as? Date {
      return .string(date.formatted(WireFormat.date))
    }
    if Value.self == Data.self, let data = value as? Data {
      return .string(data.base64EncodedString())
    }
    if Value.self == URL.self, let url = value as? URL { return .string(url.absoluteString) }
    if Value.self == Decimal.self, let decimal = value as? Decimal {
      return try number(NSDecimalNumber(decimal: decimal).doubleValue, below: path, key: key)
    }
    let encoder = ValueEncoder(path.adding(key))
    try value.encode(to: encoder)
    return encoder.result
  }

  static func number(
    _ value: Double, below path: Path, key: (any CodingKey)?
  ) throws -> JSONValue {
    guard value.isFinite else {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: path.adding(key).keys,
          debugDescription: "JSON has no text for \(value); encode nil or a string instead."))
    }
    return .number(value)
  }

  /// The number with the same shortest text: 0.1, and not 0.10000000149011612.
  static func widened(_ value: Float) -> Double {
    Double(value.description) ?? Double(value)
  }

  static func integer(_ value: some BinaryInteger) -> JSONValue {
    Int64(exactly: value).map(JSONValue.integer) ?? .number(Double(value))
  }
}
