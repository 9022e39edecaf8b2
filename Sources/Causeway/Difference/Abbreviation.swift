/// Makes long texts short enough for a report.
package enum Abbreviation {
  private static let longest = 160

  /// A value as a report shows it; see ``ValueText``.
  package static func value(_ value: Any) -> String {
    one(ValueText.of(value))
  }

  /// The beginning of a text, and how much was left out.
  package static func one(_ text: String) -> String {
    let count = text.count
    if count <= longest { return text }
    return "\(text.prefix(longest))… (\(count - longest) more characters)"
  }

  /// Two texts from shortly before their first difference on.
  static func pair(_ left: String, _ right: String) -> (String, String) {
    if left.count <= longest, right.count <= longest { return (left, right) }
    let common = zip(left, right).prefix { $0 == $1 }.count
    let skipped = max(0, common - 40)
    if skipped == 0 { return (one(left), one(right)) }
    return ("…\(one(String(left.dropFirst(skipped))))", "…\(one(String(right.dropFirst(skipped))))")
  }
}
