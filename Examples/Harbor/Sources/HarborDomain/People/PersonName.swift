import Foundation

/// The name of a person on the board: one line of 1 to 40 characters.
///
/// Two spellings mean the same person if they differ only in case or in the encoding of accents.
public struct PersonName: Sendable, Hashable, CustomStringConvertible {
  /// The name as the page shows it.
  public let text: String
  /// The form for comparisons, equal for all spellings of one name.
  public let key: String

  /// Checks a typed name.
  ///
  /// It removes white space around the name.
  ///
  /// - Throws: ``PersonNameProblem``.
  public init(_ typed: String) throws(PersonNameProblem) {
    var violation: TextRule.Violation?
    let text = Self.rule.apply(typed) { violation = $0 }
    switch violation {
    case nil: self.init(stored: text)
    case .missing: throw .missing
    case .tooLong(let count, let limit): throw .tooLong(count: count, limit: limit)
    case .unreadable: throw .unreadable
    }
  }

  /// Reads a typed name of an account, which may be older than the rules for new names.
  ///
  /// Returns `nil` for a text that no stored name has.
  package init?(existing typed: String) {
    let text = typed.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard (1...Self.rule.longestBytes).contains(text.utf8.count) else { return nil }
    self.init(stored: text)
  }

  /// Makes a name from stored text, which was checked before it was stored.
  package init(stored text: String) {
    self.text = text
    // Every read of the board calls this. Most names are ASCII, which needs no composition.
    let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
    key = (isPlain ? text : text.precomposedStringWithCompatibilityMapping).lowercased()
  }

  /// Whether both names mean the same person.
  public static func == (left: PersonName, right: PersonName) -> Bool { left.key == right.key }

  /// Hashes the key.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }

  /// The name as the page shows it.
  public var description: String { text }

  private static let rule = TextRule(limit: 40, isRequired: true, isVisible: true)
}

/// The problem of a name.
public enum PersonNameProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// The name is empty or has only white space.
  case missing
  /// The name has too many characters.
  case tooLong(count: Int, limit: Int)
  /// The name contains control characters, or characters that nobody sees.
  case unreadable
  /// The name mixes letters of several alphabets, such as a Cyrillic а in a Latin word.
  case mixedAlphabets

  /// A sentence for the user: the problem and its fix.
  public var description: String {
    switch self {
    case .missing: "Type your name, so that others know who is coming."
    case .tooLong(let count, let limit):
      TextRule.tooLong("Your name", count: count, limit: limit)
    case .unreadable: "Your name contains invisible characters. Type it again."
    case .mixedAlphabets:
      "Your name mixes letters of several alphabets. Type it in one alphabet."
    }
  }
}
