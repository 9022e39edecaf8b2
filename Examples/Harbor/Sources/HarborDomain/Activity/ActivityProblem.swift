/// A problem with one field of a draft.
public enum ActivityProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// There is no title, or it has only white space.
  case titleMissing
  /// A text has more characters than its field allows.
  case tooLong(ActivityDraft.Field, count: Int, limit: Int)
  /// A text contains control characters.
  case unreadable(ActivityDraft.Field)
  /// The date is missing or not readable.
  case startMissing
  /// The date has passed.
  case startInPast
  /// The date is so far in the future that it must be a typing error.
  case startTooFar
  /// The end is not after the start, or it is too late.
  case badEnd

  init(_ violation: TextRule.Violation, in field: ActivityDraft.Field) {
    switch violation {
    case .missing: self = .titleMissing
    case .tooLong(let count, let limit): self = .tooLong(field, count: count, limit: limit)
    case .unreadable: self = .unreadable(field)
    }
  }

  /// The field that has the problem.
  public var field: ActivityDraft.Field {
    switch self {
    case .titleMissing: .title
    case .tooLong(let field, _, _), .unreadable(let field): field
    case .startMissing, .startInPast, .startTooFar: .start
    case .badEnd: .end
    }
  }

  /// A sentence for the user: the problem and its fix.
  public var description: String {
    switch self {
    case .titleMissing: "Give it a title, so that others know what it is."
    case .tooLong(let field, let count, let limit):
      TextRule.tooLong("The \(field.noun)", count: count, limit: limit)
    case .unreadable(let field):
      "The \(field.noun) contains control characters. Type that part again."
    case .startMissing: "Choose a date and a time."
    case .startInPast: "That time has passed. Choose one that is still ahead."
    case .startTooFar: "That is more than ten years ahead. Check the year."
    case .badEnd: "Choose an end after the start and within a year of it."
    }
  }
}

/// All problems of a draft; never empty.
public struct ActivityProblems: Error, Sendable, Equatable, CustomStringConvertible {
  /// The problems, in the order of the fields.
  public let all: [ActivityProblem]

  init(_ all: [ActivityProblem]) {
    self.all = all
  }

  /// The problem of a field as a sentence, or `nil`.
  ///
  /// Complexity: O(*n*) in the number of problems.
  public subscript(field: ActivityDraft.Field) -> String? {
    all.first { $0.field == field }?.description
  }

  /// All sentences in one line.
  public var description: String { all.map(\.description).joined(separator: " ") }
}
