/// Shortens long texts for a report.
package enum Abbreviation {
  private static let longest = 160

  /// Returns the text of a value for a report; see ``ValueText``.
  package static func value(_ value: Any) -> String {
    one(ValueText.of(value))
  }

  /// Returns the beginning of a text and the number of omitted characters.
  package static func one(_ text: String) -> String {
    let count = text.count
    if count <= longest { return text }
    return "\(text.prefix(longest))… (\(count - longest) more characters)"
  }

  /// Returns two texts, each starting shortly before their first difference.
  static func pair(_ left: String, _ right: String) -> (String, String) {
    if left.count <= longest, right.count <= longest { return (left, right) }
    let common = zip(left, right).prefix { $0 == $1 }.count
    let skipped = max(0, common - 40)
    if skipped == 0 { return (one(left), one(right)) }
    return ("…\(one(String(left.dropFirst(skipped))))", "…\(one(String(right.dropFirst(skipped))))")
  }
}
