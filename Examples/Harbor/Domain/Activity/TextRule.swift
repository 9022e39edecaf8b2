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
  /// Whether characters that are not shown are refused, because two texts could look the same.
  var isVisible = false

  /// The largest number of bytes: one character can have any number of code points.
  var longestBytes: Int { limit * 8 }

  /// Returns the cleaned text and reports a problem if there is one.
  func apply(_ text: String, report: (Violation) -> Void) -> String {
    if text.utf8.count > longestBytes {
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
    } else if isVisible, tidy.unicodeScalars.contains(where: Self.isInvisible) {
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

  /// Whether a character is not shown and not needed to write a language or an emoji.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.properties.isDefaultIgnorableCodePoint else { return false }
    // Joiners, variation selectors, and the letters in the flags of England, Scotland and Wales.
    let isNeeded =
      (0x200C...0x200D).contains(scalar.value) || scalar.properties.isVariationSelector
      || (0xE0020...0xE007F).contains(scalar.value)
    return !isNeeded
  }
}
