import CausewayWeb
import Foundation

/// Decodes a type from an ``ActionTemplate``.
///
/// A placeholder gives any value that the type asks for.
struct TemplateDecoder: Decoder {
  let node: ActionTemplate
  let path: [any CodingKey]
  let log: TemplateLog

  var codingPath: [any CodingKey] { path }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    switch node {
    case .object(let members):
      log.record(members.keys, at: path) { Key(stringValue: $0) != nil }
    case .placeholder(let placeholder): try check(placeholder, .object)
    case .anything: break
    case .value, .array: throw mismatch([String: Any].self)
    }
    return KeyedDecodingContainer(TemplateMembers<Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    switch node {
    case .array(let elements): return TemplateElements(decoder: self, elements: elements)
    case .placeholder(let placeholder):
      try check(placeholder, .list)
      return TemplateElements(decoder: self, elements: [])
    case .anything(let sample):
      return TemplateElements(decoder: self, elements: [.anything(sample.element())])
    case .value, .object: throw mismatch([Any].self)
    }
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { TemplateValue(decoder: self) }

  func below(_ key: some CodingKey, _ node: ActionTemplate) throws -> TemplateDecoder {
    // A type can contain itself.
    guard path.count < 12 else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: path, debugDescription: "The type is nested too deeply."))
    }
    if case .placeholder(let placeholder) = node { log.record(placeholder) }
    return TemplateDecoder(node: node, path: path + [key], log: log)
  }

  func check(
    _ placeholder: ActionTemplate.Placeholder, _ kind: ActionTemplate.Kind
  ) throws(PlaceholderMismatch) {
    if placeholder.kind == .unknown || placeholder.kind == kind { return }
    throw PlaceholderMismatch(placeholder: placeholder, needed: kind.rawValue)
  }

  func mismatch(_ type: Any.Type) -> DecodingError {
    .typeMismatch(type, DecodingError.Context(codingPath: path, debugDescription: ""))
  }

  var isNull: Bool { if case .value(.null) = node { true } else { false } }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let value = try scalar(type) { return value }
    if let known = try foundation(type) { return known }
    if isAnything, let cases = type as? any CaseIterable.Type, let first = cases.firstCase as? Value
    {
      return first
    }
    if case .anything(let sample) = node, "\(type)".hasPrefix("Dictionary<") { sample.open() }
    return try Value(from: self)
  }

  private var isAnything: Bool {
    switch node {
    case .anything: true
    case .placeholder(let placeholder): placeholder.kind != .list && placeholder.kind != .object
    default: false
    }
  }

  /// A text, a number or a truth value, or nil for another type.
  private func scalar<Value>(_ type: Value.Type) throws -> Value? {
    if type == Bool.self { return try flag() as? Value }
    if type == String.self { return try text() as? Value }
    if type == Double.self { return try number() as? Value }
    if type == Float.self { return Float(try number()) as? Value }
    if let integer = type as? any FixedWidthInteger.Type {
      return try self.integer(integer) as? Value
    }
    return nil
  }

  private func foundation<Value>(_ type: Value.Type) throws -> Value? {
    if type == Decimal.self { return Decimal(try number()) as? Value }
    guard type == Date.self || type == Data.self || type == URL.self || type == UUID.self else {
      return nil
    }
    let text = try text()
    if case .value = node {
      // The type itself explains why a text is no UUID.
      if type == UUID.self { return UUID(uuidString: text) as? Value }
      let body = Data(JSONValue.array([.string(text)]).serialized())
      do {
        if type == Date.self {
          return try WireFormat.decoder().decode([Date].self, from: body)[0] as? Value
        }
        if type == Data.self {
          return try WireFormat.decoder().decode([Data].self, from: body)[0] as? Value
        }
        return try WireFormat.decoder().decode([URL].self, from: body)[0] as? Value
      } catch DecodingError.dataCorrupted(let context) {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(codingPath: path, debugDescription: context.debugDescription))
      }
    }
    if type == Date.self { return Date(timeIntervalSince1970: 0) as? Value }
    if type == Data.self { return Data() as? Value }
    if type == URL.self { return URL(filePath: "/") as? Value }
    return UUID() as? Value
  }

  private func flag() throws -> Bool {
    switch node {
    case .value(.bool(let flag)): return flag
    case .placeholder(let placeholder): try check(placeholder, .flag)
    case .anything(let sample): sample.leaf(.bool(false))
    default: throw mismatch(Bool.self)
    }
    return false
  }

  private func text() throws -> String {
    switch node {
    case .value(.string(let text)): return text
    case .placeholder(let placeholder): try check(placeholder, .text)
    case .anything(let sample): sample.leaf("")
    default: throw mismatch(String.self)
    }
    // Types that read a number from a text accept it.
    return "1"
  }

  private func number() throws -> Double {
    switch node {
    case .value(.integer(let integer)): return Double(integer)
    case .value(.number(let number)): return number
    case .placeholder(let placeholder): try check(placeholder, .number)
    case .anything(let sample): sample.leaf(0)
    default: throw mismatch(Double.self)
    }
    return 1
  }

  private func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
    switch node {
    case .value(.integer(let integer)):
      guard let value = Value(exactly: integer) else { throw mismatch(type) }
      return value
    case .value(.number(let number)):
      guard let value = Value(exactly: number) else { throw mismatch(type) }
      return value
    case .value, .array, .object: throw mismatch(type)
    case .placeholder, .anything:
      _ = try number()
      return 1
    }
  }
}

extension CaseIterable {
  fileprivate static var firstCase: Any? { allCases.first }
}

private struct TemplateMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: TemplateDecoder

  var codingPath: [any CodingKey] { decoder.path }

  var allKeys: [Key] {
    switch decoder.node {
    case .object(let members): return members.keys.sorted().compactMap(Key.init(stringValue:))
    case .anything(let sample):
      // The type has keys that depend on the value.
      sample.open()
      return []
    default: return []
    }
  }

  func contains(_ key: Key) -> Bool {
    if case .object(let members) = decoder.node { members[key.stringValue] != nil } else { true }
  }

  func decodeNil(forKey key: Key) throws -> Bool { try member(key).isNull }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try recording { try member(key).decode(type) }
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    if case .anything = decoder.node { return try? member(key).decode(type) }
    return try decode(type, forKey: key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try recording { try member(key).container(keyedBy: type) }
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try recording { try member(key).unkeyedContainer() }
  }

  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }

  private func member(_ key: Key) throws -> TemplateDecoder {
    switch decoder.node {
    case .object(let members):
      guard let node = members[key.stringValue] else {
        throw DecodingError.keyNotFound(
          key, DecodingError.Context(codingPath: decoder.path, debugDescription: ""))
      }
      return try decoder.below(key, node)
    case .anything(let sample):
      return try decoder.below(key, .anything(sample.member(key.stringValue)))
    case .placeholder(let placeholder):
      let part = ActionTemplate.Placeholder(
        text: "\(placeholder.text).\(key.stringValue)", kind: .unknown)
      return try decoder.below(key, .placeholder(part))
    case .value, .array: throw decoder.mismatch([String: Any].self)
    }
  }

  /// After an error, the type does not read its other members.
  private func recording<Value>(_ read: () throws -> Value) throws -> Value {
    do {
      return try read()
    } catch {
      if case .anything(let sample) = decoder.node { sample.open() }
      throw error
    }
  }
}

private struct TemplateElements: UnkeyedDecodingContainer {
  let decoder: TemplateDecoder
  let elements: [ActionTemplate]
  private(set) var currentIndex = 0

  init(decoder: TemplateDecoder, elements: [ActionTemplate]) {
    self.decoder = decoder
    self.elements = elements
  }

  private struct Index: CodingKey {
    let intValue: Int?
    var stringValue: String { intValue.map { "Index \($0)" } ?? "" }
    init(_ index: Int) { intValue = index }
    init?(intValue: Int) { self.init(intValue) }
    init?(stringValue: String) { nil }
  }

  var codingPath: [any CodingKey] { decoder.path }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  private mutating func next() throws -> TemplateDecoder {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Any.self, DecodingError.Context(codingPath: decoder.path, debugDescription: ""))
    }
    defer { currentIndex += 1 }
    return try decoder.below(Index(currentIndex), elements[currentIndex])
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, case .value(.null) = elements[currentIndex] else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next().decode(type)
  }

  mutating func nestedContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> { try next().container(keyedBy: type) }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try next() }
}

private struct TemplateValue: SingleValueDecodingContainer {
  let decoder: TemplateDecoder

  var codingPath: [any CodingKey] { decoder.path }
  func decodeNil() -> Bool { decoder.isNull }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
}
