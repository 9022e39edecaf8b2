import Foundation

/// The name by which somebody is known on the board: one line of 1 to 40 characters.
///
/// Two spellings that differ only in case or in how accents are encoded are the same person.
public struct PersonName: Sendable, Hashable, CustomStringConvertible {
  /// The name as it is shown.
  public let text: String
  /// The form that is compared: equal for all spellings of one name.
  public let key: String

  /// Checks a typed name.
  ///
  /// White space around it is dropped.
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

  /// A name that was checked when it was stored.
  package init(stored text: String) {
    self.text = text
    // Most names are ASCII, where there is nothing to compose; every read of the board comes here.
    let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
    key = (isPlain ? text : text.precomposedStringWithCompatibilityMapping).lowercased()
  }

  /// Whether both are the same person.
  public static func == (left: PersonName, right: PersonName) -> Bool { left.key == right.key }

  /// Hashes what identifies the person.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }

  /// The name as it is shown.
  public var description: String { text }

  private static let rule = TextRule(limit: 40, isRequired: true)
}

/// What is wrong with a name.
public enum PersonNameProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// Nothing was typed, or only space.
  case missing
  /// More characters than fit.
  case tooLong(count: Int, limit: Int)
  /// It contains control characters.
  case unreadable

  /// A sentence for the person who typed it: what is wrong, and what to do.
  public var description: String {
    switch self {
    case .missing: "Type your name, so that others know who is coming."
    case .tooLong(let count, let limit):
      TextRule.tooLong("Your name", count: count, limit: limit)
    case .unreadable: "Your name contains control characters. Type it again."
    }
  }
}
