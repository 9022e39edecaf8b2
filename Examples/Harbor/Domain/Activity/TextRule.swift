import Foundation

/// The rule for a text field: its length, and the cleaning of its text before storing.
struct TextRule: Sendable {
  enum Violation: Error, Equatable {
    case missing
    case tooLong(count: Int, limit: Int)
    case unreadable
  }

  /// The largest number of characters.
  var limit: Int
  var isRequired = false
  /// Whether line breaks are kept; otherwise every run of white space becomes one space.
  var allowsLines = false

  /// Returns the cleaned text and reports a problem if there is one.
  func apply(_ text: String, report: (Violation) -> Void) -> String {
    // One character can have any number of code points, so the rule also limits bytes.
    if text.utf8.count > limit * 8 {
      report(.tooLong(count: text.count, limit: limit))
      return ""
    }
    let tidy =
      allowsLines
      ? trimmed(text) : text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if tidy.isEmpty, isRequired {
      report(.missing)
    } else if tidy.count > limit {
      report(.tooLong(count: tidy.count, limit: limit))
    } else if tidy.unicodeScalars.contains(where: isControl) {
      report(.unreadable)
    }
    return tidy
  }

  /// The sentence for a text that is too long.
  static func tooLong(_ subject: String, count: Int, limit: Int) -> String {
    let style = IntegerFormatStyle<Int>(locale: Locale(identifier: "en_GB"))
    let shown = (count.formatted(style), limit.formatted(style))
    guard count > limit else {
      return "\(subject) is built from too many combined characters. Type it in a simpler way."
    }
    return "\(subject) has \(shown.0) characters; at most \(shown.1) fit. Shorten it a little."
  }

  private func trimmed(_ text: String) -> String {
    text.replacing("\r\n", with: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.properties.generalCategory == .control else { return false }
    return !(allowsLines && (scalar == "\n" || scalar == "\t"))
  }
}
