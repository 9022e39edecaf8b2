import CausewaySystem

/// A JSON document as a value.
///
/// View states are encoded to it before they are sent.
package enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])
}

extension JSONValue: Equatable {
  /// Whether a script reads the same document: texts are equal if they have the same bytes.
  package static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }
}

extension JSONValue {
  /// The value at a dotted path such as `draft.errors.0.text`; `length` counts an array.
  ///
  /// Complexity: O(n) in the number of path components.
  package func value(at path: String) -> JSONValue? {
    value(at: path.split(separator: ".").map(String.init))
  }

  /// The value at the steps of a path; `nil` if there is none.
  ///
  /// Complexity: O(*n*) in the number of steps.
  package func value(at steps: some Sequence<String>) -> JSONValue? {
    steps.reduce(self as JSONValue?) { $0?[step: $1] }
  }

  /// The value to which one step of a path leads: a member, an element, or a length.
  ///
  /// The length of a text counts UTF-16 units, as in JavaScript.
  subscript(step step: String) -> JSONValue? {
    switch self {
    case .object(let members): members[step]
    case .array(let elements) where step == "length": .integer(Int64(elements.count))
    case .array(let elements):
      if let index = Self.index(step), elements.indices.contains(index) {
        elements[index]
      } else {
        nil
      }
    case .string(let text) where step == "length": .integer(Int64(text.utf16.count))
    case .null, .bool, .integer, .number, .string: nil
    }
  }

  /// The array index that a step spells; nil for a spelling that is not an index in JavaScript.
  package static func index(_ step: String) -> Int? {
    Int(step).flatMap { $0 >= 0 && String($0) == step ? $0 : nil }
  }

  /// Whether JavaScript treats the value as true.
  package var isTrue: Bool {
    switch self {
    case .null: false
    case .bool(let isTrue): isTrue
    case .integer(let number): number != 0
    case .number(let number): number != 0 && !number.isNaN
    case .string(let text): !text.isEmpty
    case .array, .object: true
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}
