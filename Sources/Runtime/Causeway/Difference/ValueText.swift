/// Makes texts of values for reports.
///
/// The texts resemble the output of `print`, without module names and without the addresses in
/// names of private types.
package enum ValueText {
  /// The depth limit.
  ///
  /// Deeper values are left out, which ends cycles of objects.
  private static let deepest = 24

  /// Returns the text of a value.
  ///
  /// Strings have quotation marks.
  ///
  /// Complexity: O(*n*) in the size of the value.
  package static func of(_ value: Any) -> String {
    text(value, deepest)
  }

  private static func text(_ value: Any, _ depth: Int) -> String {
    if depth == 0 { return "…" }
    let mirror = Mirror(reflecting: value)
    func texts() -> [String] {
      mirror.children.map { text($0.value, depth - 1) }
    }
    switch mirror.displayStyle {
    // These cases come first, because the types' own descriptions contain module names.
    case .optional:
      return mirror.children.first.map { "Optional(\(text($0.value, depth - 1)))" } ?? "nil"
    case .collection: return "[\(texts().joined(separator: ", "))]"
    case .set: return "[\(texts().sorted().joined(separator: ", "))]"
    case .dictionary: return entries(mirror, depth)
    case .tuple: return fields(mirror, depth)
    default: break
    }
    if value is any CustomDebugStringConvertible { return String(reflecting: value) }
    if value is any CustomStringConvertible { return String(describing: value) }
    switch mirror.displayStyle {
    case .struct: return "\(type(of: value))\(fields(mirror, depth))"
    case .class: return "\(type(of: value))"
    case .enum:
      guard let payload = mirror.children.first, let name = payload.label else {
        return String(describing: value)
      }
      let payloadText = text(payload.value, depth - 1)
      let isTuple = Mirror(reflecting: payload.value).displayStyle == .tuple
      return isTuple ? name + payloadText : "\(name)(\(payloadText))"
    default: return String(reflecting: value)
    }
  }

  private static func fields(_ mirror: Mirror, _ depth: Int) -> String {
    let fields = mirror.children.map { child in
      let value = text(child.value, depth - 1)
      // If a tuple has no labels, its mirror names the fields .0, .1 and so on.
      return child.label.flatMap { $0.hasPrefix(".") ? nil : "\($0): \(value)" } ?? value
    }
    return "(\(fields.joined(separator: ", ")))"
  }

  private static func entries(_ mirror: Mirror, _ depth: Int) -> String {
    let entries = mirror.children.map { entry in
      Mirror(reflecting: entry.value).children.map { text($0.value, depth - 1) }
        .joined(separator: ": ")
    }
    return entries.isEmpty ? "[:]" : "[\(entries.sorted().joined(separator: ", "))]"
  }
}
