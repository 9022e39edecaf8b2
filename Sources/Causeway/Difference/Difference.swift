/// What two values differ in: only the fields and elements that are not the same, by their path.
///
/// Values are compared by what `Mirror` shows of them. Long values are abbreviated.
package struct Difference: Sendable, CustomStringConvertible {
  /// One field or element.
  package struct Line: Sendable, Equatable {
    /// Where in the value, for example `rows[2].title`; empty for the value itself.
    package let path: String
    /// The expected value; `nil` for something that should not be there.
    package let expected: String?
    /// The actual value; `nil` for something that is missing.
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

  /// One paragraph for each difference; the first 20 of them.
  package var description: String {
    if lines.isEmpty { return "  (no difference in what can be seen of the values)" }
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
