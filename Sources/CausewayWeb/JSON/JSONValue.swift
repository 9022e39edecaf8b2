/// A JSON document as a value.
///
/// View states are encoded to it before they are sent.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])
}

extension JSONValue {
  /// The value at a dotted path such as `draft.errors.0.text`; `length` counts an array.
  ///
  /// Complexity: O(n) in the number of path components.
  package func value(at path: String) -> JSONValue? {
    var current = self
    for component in path.split(separator: ".") {
      switch current {
      case .object(let members):
        guard let next = members[String(component)] else { return nil }
        current = next
      case .array(let elements):
        if component == "length" {
          current = .integer(Int64(elements.count))
        } else if let index = Int(component), elements.indices.contains(index) {
          current = elements[index]
        } else {
          return nil
        }
      default: return nil
      }
    }
    return current
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
