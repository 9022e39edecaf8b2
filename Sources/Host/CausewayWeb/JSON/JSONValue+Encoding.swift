import Foundation

extension JSONValue {
  /// Encodes a value directly, without JSON text in between.
  ///
  /// Null members of objects are left out at every depth, because null means "removed" in a merge
  /// patch (RFC 7396, section 1). Arrays keep null elements. `Date` becomes ISO 8601 text with
  /// milliseconds, `Data` becomes base64 text, `URL` becomes its absolute text, and `Decimal`
  /// becomes a number.
  ///
  /// Throws the error of the value's `encode(to:)`, and `EncodingError` for numbers that JSON
  /// cannot represent. Complexity: O(n) in the size of the value.
  package init(encoding value: some Encodable) throws {
    try self.init(encoding: value, reusing: nil)
  }

  /// - Parameter parts: The encoded parts of an earlier version of the value.
  init(encoding value: some Encodable, reusing parts: PartCache?) throws {
    self = try ValueEncoder.encode(value, below: .root, key: nil, parts)
  }
}

/// Builds a `JSONValue` from the calls of an `encode(to:)` method.
///
/// Each value has its own encoder, which is used only during the call that made it.
final class ValueEncoder: Encoder {
  /// One value of a container.
  ///
  /// Nested containers are resolved after everything is written.
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
    /// If a key occurs twice, the later member counts.
    case members([(key: String, slot: Slot)])
  }

  /// The coding path of an encoder.
  ///
  /// It does not refer to the outer encoder, whose content may contain this encoder: that would be
  /// a retain cycle.
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
  let parts: PartCache?
  var content = Content.nothing

  init(_ path: Path, _ parts: PartCache?) {
    self.path = path
    self.parts = parts
  }

  var codingPath: [any CodingKey] { path.keys }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  var result: JSONValue {
    switch content {
    case .nothing: .object([:])
    case .single(let value): value
    case .elements(let slots): .array(slots.map(\.resolved))
    case .members(let slots): .object(Self.members(slots))
    }
  }

  private static func members(_ slots: [(key: String, slot: Slot)]) -> [String: JSONValue] {
    var members = [String: JSONValue](minimumCapacity: slots.count)
    for (key, slot) in slots {
      if case let value = slot.resolved, value != .null {
        members[key] = value
      } else {
        members[key] = nil
      }
    }
    return members
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .nothing = content { content = .members([]) }
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
    _ value: Value, below path: Path, key: (any CodingKey)?, _ parts: PartCache?
  ) throws -> JSONValue {
    // The types are compared first, because several failing casts for every nested value would take
    // longer.
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
    let encoder = ValueEncoder(path.adding(key), parts)
    try value.encode(to: encoder)
    return encoder.result
  }

  /// Encodes an element of an array, or finds its encoded form if it is a row.
  func encodeElement(_ value: some Encodable, key: some CodingKey) throws -> JSONValue {
    if let known = parts?.knownRow(value) { return known }
    guard let parts, let row = value as? any Identifiable & Equatable & Encodable else {
      return try Self.encode(value, below: path, key: key, parts)
    }
    return try encodeRow(row, key: key, parts)
  }

  private func encodeRow<Row: Identifiable & Equatable & Encodable>(
    _ row: Row, key: some CodingKey, _ parts: PartCache
  ) throws -> JSONValue {
    try parts.encoded(row: row) { try Self.encode(row, below: path, key: key, $0) }
  }

  /// Encodes a member of an object, or finds its encoded form.
  func encodeMember(_ value: some Encodable, key: some CodingKey) throws -> JSONValue {
    if let known = parts?.known(value, member: key.stringValue) { return known }
    // The rows of a list are compared one by one.
    guard let parts, !(value is any Sequence), let part = value as? any Equatable & Encodable
    else { return try Self.encode(value, below: path, key: key, parts) }
    return try encodePart(part, key: key, parts)
  }

  private func encodePart<Part: Equatable & Encodable>(
    _ part: Part, key: some CodingKey, _ parts: PartCache
  ) throws -> JSONValue {
    try parts.encode(part, member: key.stringValue) {
      try Self.encode(part, below: path, key: key, $0)
    }
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

  /// The number with the same shortest text: 0.1 rather than 0.10000000149011612.
  static func widened(_ value: Float) -> Double {
    Double(value.description) ?? Double(value)
  }

  static func integer(_ value: some BinaryInteger) -> JSONValue {
    Int64(exactly: value).map(JSONValue.integer) ?? .number(Double(value))
  }
}
