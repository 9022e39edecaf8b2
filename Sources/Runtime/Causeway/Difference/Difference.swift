/// The differences of two values: the fields and elements that differ, with their paths.
///
/// Values are compared by their `Mirror`. Long values are abbreviated.
package struct Difference: Sendable, CustomStringConvertible {
  /// One field or element.
  package struct Line: Sendable, Equatable {
    /// The path in the value, for example `rows[2].title`; empty for the value itself.
    package let path: String
    /// The expected value; `nil` for an unexpected field or element.
    package let expected: String?
    /// The actual value; `nil` for a missing field or element.
    package let actual: String?
  }

  /// The differences, in the order of the fields.
  package let lines: [Line]

  /// Compares two values.
  ///
  /// Complexity: O(*n*) in the size of the values.
  package init(expected: Any, actual: Any) {
    var comparison = Comparison()
    comparison.compare(expected, actual, path: "", depth: 0)
    lines = comparison.lines
  }

  /// The first 20 differences as text, one paragraph each.
  package var description: String {
    if lines.isEmpty { return "  (the visible parts of the values do not differ)" }
    var text = lines.prefix(20).map { line in
      let path = line.path.isEmpty ? "state" : line.path
      return switch (line.expected, line.actual) {
      case (let expected?, let actual?):
        "  \(path)\n    expected: \(expected)\n    actual:   \(actual)"
      case (let expected?, nil): "  \(path)\n    missing:  \(expected)"
      case (nil, let actual?): "  \(path)\n    surplus:  \(actual)"
      case (nil, nil): "  \(path)"
      }
    }
    if lines.count > 20 { text.append("  and \(lines.count - 20) more") }
    return text.joined(separator: "\n")
  }
}
