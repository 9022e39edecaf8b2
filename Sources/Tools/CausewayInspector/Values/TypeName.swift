/// The names of types and cases, as a source file spells them.
enum TypeName {
  /// The name with the outer types and without modules, such as `Search.State`.
  static func full(_ type: Any.Type) -> String {
    var text = String(reflecting: type)
    // The searches for texts are slow, and few names need them.
    func has(_ character: Unicode.Scalar) -> Bool { text.utf8.contains(UInt8(ascii: character)) }
    // The runtime writes the spaces of a name in backticks as no-break spaces.
    if !text.utf8.allSatisfy({ $0 < 0x80 }) { text = text.replacing("\u{A0}", with: " ") }
    // A type in a function, and a private one: "App.(unknown context at $1f3c).State".
    while has("("), let start = text.firstRange(of: "(unknown context at "),
      let end = text[start.upperBound...].firstRange(of: ").")
    {
      text.removeSubrange(start.lowerBound..<end.upperBound)
    }
    // Generic arguments also have modules. The short name is readable, if not complete.
    if has("<") || has("(") { return "\(type)" }
    guard let dot = text.firstIndex(of: ".") else { return text }
    return String(text[text.index(after: dot)...])
  }

  /// A case without a payload.
  ///
  /// Its description contains no data, because there is no payload. A custom description need not
  /// be the name of the case, so the expression then uses the raw value.
  static func enumCase(_ value: Any) -> ValueNode.Shape {
    let hasDescription =
      value is any CustomStringConvertible || value is any CustomDebugStringConvertible
    if !hasDescription { return .enumCase("\(value)") }
    if let value = value as? any RawRepresentable, let raw = LeafText.shape(of: value.rawValue),
      case .text(let text) = raw
    {
      return .text("\(TypeFacts.of(value).name)(rawValue: \(text))!")
    }
    return .cut("\(value)")
  }

  /// The name of an action for lists; for an action of a child, also the case of the child's action.
  static func action(_ node: ValueNode) -> String {
    guard case .enumCase(let name) = node.shape else {
      if case .structure(let type) = node.shape { return type }
      return "action"
    }
    // The child can be a case of another enum, such as a choice of the user. Its name may be shown.
    guard node.children.count <= 2, let child = node.children.last,
      case .enumCase = child.shape
    else { return name }
    return "\(name).\(action(child))"
  }
}
