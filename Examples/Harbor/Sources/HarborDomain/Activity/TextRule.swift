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
    } else if isVisible, Self.hasInvisible(tidy) {
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

  /// Whether a text has a character that is not shown, where no language and no emoji needs it.
  private static func hasInvisible(_ text: String) -> Bool {
    var base: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if isBlank(scalar) { return true }
      guard scalar.properties.isDefaultIgnorableCodePoint else {
        base = scalar
        continue
      }
      guard let base, isNeeded(scalar, after: base) else { return true }
    }
    return false
  }

  /// Whether no font shows a character, although Unicode does not ignore it.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // The empty Braille pattern, an empty note, and the marks of annotations and objects.
    case 0x2800, 0x1D159, 0xFFF9...0xFFFC: true
    default: scalar.properties.generalCategory == .privateUse
    }
  }

  /// Whether a character that is not shown changes the last shown one.
  private static func isNeeded(_ scalar: Unicode.Scalar, after base: Unicode.Scalar) -> Bool {
    // The letters in the flags of England, Scotland and Wales.
    if (0xE0020...0xE007F).contains(scalar.value) { return base.value == 0x1F3F4 }
    // Joiners and variation selectors, for Arabic, Indian and Chinese characters, and for emoji.
    let isJoiner = (0x200C...0x200D).contains(scalar.value)
    return (isJoiner || scalar.properties.isVariationSelector) && !isEuropean(base)
  }

  /// Whether a character is a Latin, Greek, Cyrillic or Armenian letter, a digit, or a common sign.
  ///
  /// These never change by a joiner or a variation selector.
  private static func isEuropean(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x590, 0x1C80...0x1C8F, 0x1D00...0x206F, 0x2C60...0x2C7F, 0x2DE0...0x2DFF,
      0xA640...0xA69F, 0xA720...0xA7FF, 0xAB30...0xAB6F, 0xFB00...0xFB06, 0xFF00...0xFF5E,
      0x1D400...0x1D7FF:
      true
    default: false
    }
  }
}
