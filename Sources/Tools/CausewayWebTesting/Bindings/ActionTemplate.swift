import CausewayWeb
import Foundation

/// A JSON document with places for values that only the browser knows.
///
/// It stands for an action of a page, such as `{"join":{"id":"$item.id"}}`. A single place without
/// a document stands for any value of a type; see ``StateSample``.
indirect enum ActionTemplate {
  case value(JSONValue)
  case object([String: ActionTemplate])
  case array([ActionTemplate])
  case placeholder(Placeholder)
  /// Any value; the sample records the names that a type reads.
  case anything(StateSample)

  /// A text such as `$item.id`.
  struct Placeholder: Sendable {
    let text: String
    let kind: Kind
  }

  /// The JSON type of the value that replaces a placeholder.
  enum Kind: String, Sendable {
    case unknown = "a value"
    case text = "a text"
    case number = "a number"
    case flag = "true or false"
    case list = "an array"
    case object = "an object"

    init(_ value: JSONValue) {
      self =
        switch value {
        case .null: .unknown
        case .bool: .flag
        case .integer, .number: .number
        case .string: .text
        case .array: .list
        case .object: .object
        }
    }
  }

  /// - Parameter kind: Returns the kind of a placeholder, or nil if the text is no placeholder.
  init(_ value: JSONValue, kind: (String) -> Kind?) {
    switch value {
    case .string(let text):
      self = kind(text).map { .placeholder(Placeholder(text: text, kind: $0)) } ?? .value(value)
    case .array(let elements): self = .array(elements.map { ActionTemplate($0, kind: kind) })
    case .object(let members):
      self = .object(members.mapValues { ActionTemplate($0, kind: kind) })
    default: self = .value(value)
    }
  }

  /// The placeholders, in no particular order.
  var placeholders: [Placeholder] {
    switch self {
    case .value, .anything: []
    case .object(let members): members.values.flatMap(\.placeholders)
    case .array(let elements): elements.flatMap(\.placeholders)
    case .placeholder(let placeholder): [placeholder]
    }
  }

  /// Whether the path leads to a placeholder, or into its value.
  private func leadsToPlaceholder(_ path: ArraySlice<any CodingKey>, _ log: TemplateLog) -> Bool {
    if case .placeholder(let placeholder) = self { return log.isRead(placeholder) }
    guard let key = path.first else { return false }
    switch self {
    case .object(let members):
      return members[key.stringValue]?.leadsToPlaceholder(path.dropFirst(), log) ?? false
    case .array(let elements):
      guard let index = key.intValue, elements.indices.contains(index) else { return false }
      return elements[index].leadsToPlaceholder(path.dropFirst(), log)
    default: return false
    }
  }
}

extension ActionTemplate {
  /// Returns the reasons why a type cannot be decoded from the template with any values.
  ///
  /// - Parameters:
  ///   - type: The type of the page's actions.
  ///   - body: The JSON text of the template.
  func mistakes<Action: Decodable>(decoding type: Action.Type, from body: Data) -> [String] {
    let log = TemplateLog()
    var error: (any Error)?
    do {
      _ = try Action(from: TemplateDecoder(node: self, path: [], log: log))
      if placeholders.isEmpty { _ = try WireFormat.decoder().decode(type, from: body) }
    } catch let found {
      error = found
    }
    let unknown = log.unknownNames
    if let error, !isOfPlaceholder(error, log) {
      if let mismatch = error as? PlaceholderMismatch { return [mismatch.text] }
      var text = DecodingExplanation.text(for: error, decoding: type, from: body)
        .replacing("The body", with: "The action")
      if let near = unknown.compactMap(\.near).first {
        text = text.hasSuffix(".") ? String(text.dropLast()) : text
        text += "; did you mean \"\(near)\"?"
      }
      return [text]
    }
    return unknown.map { name in
      "\"\(name.path)\" is not read by \(type)"
        + (name.near.map { "; did you mean \"\($0)\"?" } ?? ".")
    }
  }

  /// Whether the value of a placeholder may avoid the error.
  private func isOfPlaceholder(_ error: any Error, _ log: TemplateLog) -> Bool {
    if error is PlaceholderMismatch { return false }
    guard let error = error as? DecodingError else { return !placeholders.isEmpty }
    let (context, key): (DecodingError.Context, (any CodingKey)?) =
      switch error {
      case .keyNotFound(let key, let context): (context, key)
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        (context, nil)
      @unknown default: (DecodingError.Context(codingPath: [], debugDescription: ""), nil)
      }
    return leadsToPlaceholder((context.codingPath + [key].compactMap { $0 })[...], log)
  }
}

/// A placeholder whose value has another JSON type than the action needs.
struct PlaceholderMismatch: Error {
  let placeholder: ActionTemplate.Placeholder
  let needed: String

  var text: String {
    let hint =
      placeholder.kind == .text && needed == "a number"
        && !placeholder.text.hasPrefix("$item") && !placeholder.text.hasPrefix("$state")
      ? " Give the control type=\"number\"." : ""
    return
      "\"\(placeholder.text)\" is \(placeholder.kind.rawValue), but the action needs \(needed)."
      + hint
  }
}

/// The names of members that types have read while templates were decoded.
final class TemplateLog {
  struct UnknownName {
    let path: String
    /// The similar name that the type reads.
    let near: String?
  }

  private struct Object {
    var unread: Set<String>
    var reads: [(String) -> Bool] = []
  }

  private var objects: [String: Object] = [:]
  private var read: Set<String> = []

  /// Records that a type has asked for the value of a placeholder.
  ///
  /// The value can then cause an error. Without this call, the member's name is the cause.
  func record(_ placeholder: ActionTemplate.Placeholder) { read.insert(placeholder.text) }

  func isRead(_ placeholder: ActionTemplate.Placeholder) -> Bool { read.contains(placeholder.text) }

  /// - Parameter reads: Whether the container reads a name.
  func record(
    _ names: some Sequence<String>, at path: [any CodingKey], reads: @escaping (String) -> Bool
  ) {
    let key = Self.text(path)
    var object = objects[key] ?? Object(unread: Set(names))
    object.unread = object.unread.filter { !reads($0) }
    object.reads.append(reads)
    objects[key] = object
  }

  var unknownNames: [UnknownName] {
    objects.sorted { $0.key < $1.key }.flatMap { path, object in
      object.unread.sorted().map { name in
        UnknownName(
          path: path.isEmpty ? name : "\(path).\(name)",
          near: NearestName.neighbours(of: name).first { near in
            object.reads.contains { $0(near) }
          })
      }
    }
  }

  private static func text(_ path: [any CodingKey]) -> String {
    path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
  }
}
