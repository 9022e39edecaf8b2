/// Says in one sentence what is wrong with a JSON text that does not fit a type.
enum DecodingExplanation {
  static func text<Value>(for error: any Error, decoding type: Value.Type) -> String {
    guard let error = error as? DecodingError else {
      return "The body could not be read as \(type): \(error)."
    }
    switch error {
    case .keyNotFound(let key, let context):
      return "The member \"\(key.stringValue)\" is missing\(place(context.codingPath))."
    case .valueNotFound(let expected, let context):
      return "\(subject(context.codingPath)) is null, but a \(expected) is needed."
    case .typeMismatch(let expected, let context):
      // Synthesized enum decoding reports an unknown case name as a wrong number of keys.
      let names = EnumCaseNames.of(expected)
      if !names.isEmpty {
        return "\(subject(context.codingPath)) must have exactly one member, named one of: "
          + names.joined(separator: ", ") + "."
      }
      return "\(subject(context.codingPath)) has the wrong type: \(article(expected)) is needed."
    case .dataCorrupted(let context):
      // What the decoder's parser reports has no place; only a type's own check has one.
      if context.codingPath.isEmpty { return "The body is not well-formed JSON." }
      return "\(subject(context.codingPath)) cannot be used: \(context.debugDescription)"
    @unknown default:
      return "The body could not be read as \(type)."
    }
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
