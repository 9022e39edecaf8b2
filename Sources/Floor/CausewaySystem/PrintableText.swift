/// Makes texts from untrusted sources safe for a terminal and a log.
package enum PrintableText {
  /// The spelling of an escaped character.
  package enum Style: Sendable {
    /// `\u{1B}`, or `\n`, `\r` and `\t`.
    case swift
    /// `\u001b`, which means the same character in a JSON document.
    case json
  }

  /// Replaces each character that could forge a line, command a terminal or hide a text.
  ///
  /// These are the control characters (C0, DEL and C1), the line and paragraph separators, and the
  /// invisible format characters, such as overrides of the writing direction. The joiners stay,
  /// because scripts and emoji need them. A backslash stays too, so an escape in the result may
  /// also be a part of the original text.
  ///
  /// Complexity: O(*n*) in the length of the result, even if the text is longer.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - limit: The largest number of bytes of the result. A longer text ends with the number of
  ///     the bytes that are missing. Default: no limit.
  ///   - keepsLines: Whether line feeds stay.
  ///   - style: The spelling of an escaped character.
  package static func escaped(
    _ text: String, limit: Int = .max, keepsLines: Bool = false, style: Style = .swift
  ) -> String {
    var result = ""
    var (used, written) = (0, 0)
    for scalar in text.unicodeScalars {
      let escape = isPrintable(scalar, keepsLines) ? nil : escape(of: scalar, style)
      let size = escape?.utf8.count ?? UTF8.width(scalar)
      guard size <= limit - written else {
        return result + "… (\(text.utf8.count - used) more bytes)"
      }
      if let escape { result += escape } else { result.unicodeScalars.append(scalar) }
      written += size
      used += UTF8.width(scalar)
    }
    return result
  }

  private static func isPrintable(_ scalar: Unicode.Scalar, _ keepsLines: Bool) -> Bool {
    if scalar.value < 0x7F { return scalar.value >= 0x20 || (keepsLines && scalar == "\n") }
    return switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
    default: true
    }
  }

  private static func escape(of scalar: Unicode.Scalar, _ style: Style) -> String {
    switch (style, scalar) {
    case (.swift, "\n"): "\\n"
    case (.swift, "\r"): "\\r"
    case (.swift, "\t"): "\\t"
    case (.swift, _): "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    case (.json, _):
      UTF16.encode(scalar)?.reduce(into: "") { text, unit in
        let digits = String(unit, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } ?? ""
    }
  }
}
