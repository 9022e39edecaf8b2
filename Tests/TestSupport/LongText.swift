public import Testing

/// The text of a test's argument.
///
/// A report shows only its beginning.
///
/// A report prints each argument, also one of a million lines.
public struct LongText: Sendable, ExpressibleByStringInterpolation, CustomTestStringConvertible {
  /// The whole text.
  public let text: String

  /// Makes the argument of a literal.
  public init(stringLiteral text: String) { self.text = text }

  /// Makes the argument of a text that is no literal.
  public init(_ text: String) { self.text = text }

  /// The first 60 characters.
  public var testDescription: String {
    let beginning = String(text.prefix(60)).debugDescription
    return text.count > 60 ? "\(beginning)…, \(text.utf8.count) bytes" : beginning
  }
}
