package import Foundation

/// Describes in one sentence why a JSON text does not fit a type.
package enum DecodingExplanation {
  /// - Parameters:
  ///   - error: The decoder's error.
  ///   - type: The type that the decoder should have read.
  ///   - body: The JSON text.
  package static func text<Value>(
    for error: any Error, decoding type: Value.Type, from body: Data
  ) -> String {
    guard let error = error as? DecodingError else {
      return "The body could not be read as \(type): \(error)."
    }
    switch error {
    case .keyNotFound(let key, let context):
      return "The member \"\(key.stringValue)\" is missing\(place(context.codingPath))."
    case .valueNotFound(let expected, let context):
      return "\(subject(context.codingPath)) is null, but a \(expected) is needed."
    case .typeMismatch(let expected, let context):
      if let text = unknownCase(expected, at: context.codingPath, in: body) { return text }
      return "\(subject(context.codingPath)) has the wrong type: \(article(expected)) is needed."
    case .dataCorrupted(let context):
      // An error of the parser has no coding path, but an error that the decoded type throws has a
      // path.
      if context.codingPath.isEmpty { return "The body is not well-formed JSON." }
      return "\(subject(context.codingPath)) cannot be used: \(context.debugDescription)"
    @unknown default:
      return "The body could not be read as \(type)."
    }
  }

  /// The text for an object whose keys name no case or several cases of an enum.
  ///
  /// Synthesized decoding of an enum reports this as a wrong number of keys. No other mismatch
  /// reports the type of an enum at the path of an object.
  private static func unknownCase(
    _ expected: Any.Type, at path: [any CodingKey], in body: Data
  ) -> String? {
    guard expected != [String: Any].self, let members = MemberNames.read(at: path, in: body) else {
      return nil
    }
    let names = members.sorted().prefix(5).map { "\"\($0.prefix(60))\"" }
    if let name = names.first, members.count == 1 {
      return "\(subject(path)) has the member \(name), which is not a case of \(expected)."
    }
    let found = names.isEmpty ? "no member" : "the members " + names.joined(separator: ", ")
    return "\(subject(path)) has \(found); it must have exactly one, named after a case of "
      + "\(expected)."
  }

  /// The names of an object's members.
  ///
  /// The values are not read. A decoder that accepts a value of any type is a hundred times as slow
  /// as the decoder of a known type, so a stranger's body would occupy a thread for seconds.
  private struct MemberNames: Decodable {
    let names: [String]

    static func read(at path: [any CodingKey], in body: Data) -> [String]? {
      let decoder = JSONDecoder()
      guard let pathKey else { return nil }
      decoder.userInfo[pathKey] = path.map { AnyKey($0) }
      return try? decoder.decode(Self.self, from: body).names
    }

    private static var pathKey: CodingUserInfoKey? { CodingUserInfoKey(rawValue: "path") }

    init(from decoder: any Decoder) throws {
      let path = Self.pathKey.flatMap { decoder.userInfo[$0] as? [AnyKey] } ?? []
      var place = decoder
      for key in path {
        // The name of a member can be a number too.
        if let index = key.intValue, index >= 0, var elements = try? place.unkeyedContainer() {
          for _ in 0..<index { _ = try elements.superDecoder() }
          place = try elements.superDecoder()
        } else {
          place = try place.container(keyedBy: AnyKey.self).superDecoder(forKey: key)
        }
      }
      names = try place.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    }
  }

  private struct AnyKey: CodingKey, Sendable {
    let stringValue: String
    let intValue: Int?

    init(_ key: any CodingKey) { (stringValue, intValue) = (key.stringValue, key.intValue) }
    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init(intValue: Int) { (stringValue, self.intValue) = (String(intValue), intValue) }
  }

  private static func article(_ type: Any.Type) -> String {
    if type == [String: Any].self { return "an object" }
    if type == [Any].self { return "an array" }
    return "a value of type \(type)"
  }

  private static func path(_ path: [any CodingKey]) -> String {
    path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
  }

  private static func place(_ path: [any CodingKey]) -> String {
    path.isEmpty ? "" : " in \"\(self.path(path))\""
  }

  private static func subject(_ path: [any CodingKey]) -> String {
    path.isEmpty ? "The body" : "\"\(self.path(path))\""
  }
}
