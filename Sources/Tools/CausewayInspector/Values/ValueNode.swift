/// A value as a tree of texts, without the parts that are hidden.
package struct ValueNode: Sendable, Equatable {
  /// The kind of a value.
  package enum Shape: Sendable, Equatable {
    /// A value without parts, as a Swift expression.
    case text(String)
    /// The beginning of a text, or a value that was left out.
    case cut(String)
    case none, tuple, list, set, dictionary
    /// A secret. The name of its type is `nil` if a text literal can stand for it.
    case hidden(String?)
    /// A struct, by the name of its type.
    case structure(String)
    /// An object, by the name of its type; its content is not read.
    case object(String)
    /// A case of an enum; the children are its payload.
    case enumCase(String)
  }

  /// The name of the field, or the key in a dictionary; `nil` for elements.
  package var label: String?
  package var shape: Shape
  package var children: [ValueNode] = []
  /// The number of elements that are left out.
  package var omitted = 0

  /// Whether the expression of the value is complete.
  package var isComplete: Bool {
    switch shape {
    case .cut, .hidden, .object: false
    default: omitted == 0 && children.allSatisfy(\.isComplete)
    }
  }

  /// The shape of a value that must not be shown.
  static func hidden(_ value: Any) -> Shape {
    .hidden(takesText(type(of: value)) ? nil : TypeFacts.of(value).name)
  }

  /// Whether a text literal can be a value of a type.
  private static func takesText(_ type: Any.Type) -> Bool {
    if let optional = type as? any OptionalValue.Type { return takesText(optional.wrapped) }
    return type is any ExpressibleByStringLiteral.Type
  }

  /// The value as a Swift expression.
  ///
  /// Complexity: O(*n*) in the size of the tree.
  package var expression: String {
    switch shape {
    case .text(let text): text
    case .cut(let text): "\(text)/* … */"
    case .none: "nil"
    case .hidden(nil): "\"<hidden>\""
    case .hidden(let type?): "\"<hidden>\"/* \(type) */"
    case .tuple: "(\(list))"
    case .list, .set: "[\(list)]"
    case .dictionary: children.isEmpty && omitted == 0 ? "[:]" : "[\(list)]"
    case .structure(let type): "\(type)(\(list))"
    case .object(let type): "\(type)(/* … */)"
    case .enumCase(let name): children.isEmpty ? ".\(name)" : ".\(name)(\(list))"
    }
  }

  private var list: String {
    var texts = children.map { child in
      child.label.map { "\($0): \(child.expression)" } ?? child.expression
    }
    if omitted > 0 { texts.append("/* \(omitted) more */") }
    return texts.joined(separator: ", ")
  }
}

extension String {
  /// The beginning of the text, with an ellipsis if something is missing.
  func shortened(to limit: Int) -> String {
    utf8.count <= limit ? self : "\(prefix(limit))…"
  }
}
