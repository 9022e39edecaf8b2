public import Foundation

/// An activity as a person typed it, not yet checked.
public struct ActivityDraft: Sendable, Equatable {
  /// The title as typed.
  public var title: String
  /// The place as typed; blank without a place.
  public var place: String
  /// The notes as typed; blank without notes.
  public var notes: String
  /// The start, or `nil` if the typed text is not a date.
  public var start: Date?
  /// The end, or `nil` without one.
  public var end: Date?

  /// A draft with these texts.
  public init(
    title: String, place: String = "", notes: String = "", start: Date?, end: Date? = nil
  ) {
    (self.title, self.place, self.notes, self.start, self.end) = (title, place, notes, start, end)
  }

  /// Checks every field and returns the details for the board.
  ///
  /// - Parameters:
  ///   - now: The current date; an activity must not begin before this minute.
  ///   - kept: The previous date of an edited activity. The title of an activity that has begun can
  ///     still change if its date stays.
  /// - Throws: ``ActivityProblems`` with the problems of all invalid fields, one for each field.
  public func validated(
    at now: Date, keeping kept: Date? = nil
  ) throws(ActivityProblems) -> ActivityDetails {
    var problems: [ActivityProblem] = []
    let title = Field.title.rule.apply(title) { problems.append(.init($0, in: .title)) }
    let place = Field.place.rule.apply(place) { problems.append(.init($0, in: .place)) }
    let notes = Field.notes.rule.apply(notes) { problems.append(.init($0, in: .notes)) }
    if let problem = problem(of: start, at: now, keeping: kept) { problems.append(problem) }
    if let start, let end, !Self.lengths.contains(end.timeIntervalSince(start)) {
      problems.append(.badEnd)
    }
    guard problems.isEmpty, let start else { throw ActivityProblems(problems) }
    return ActivityDetails(
      title: title, place: place.isEmpty ? nil : place, notes: notes.isEmpty ? nil : notes,
      start: start, end: end)
  }

  private func problem(of start: Date?, at now: Date, keeping kept: Date?) -> ActivityProblem? {
    guard let start else { return .startMissing }
    if start == kept { return nil }
    // Date fields have no seconds, so the current minute is not in the past.
    if start.timeIntervalSince(now) <= -60 { return .startInPast }
    if start.timeIntervalSince1970 < 0 { return .startInPast }
    if start.timeIntervalSince(now) > Self.horizon { return .startTooFar }
    return nil
  }

  /// The latest start of an activity: ten years from now, in seconds.
  ///
  /// A later start is a typing error.
  static let horizon: TimeInterval = 10 * 366 * 86_400
  /// The times from the start to the end, up to about a year, in seconds.
  static let lengths: ClosedRange<TimeInterval> = 1...366 * 86_400
}

extension ActivityDraft {
  /// The parts of a draft that can have a problem.
  public enum Field: String, Sendable, CaseIterable {
    case title, place, notes, start, end

    /// The field's name in a sentence.
    var noun: String { self == .notes ? "note" : rawValue }

    var rule: TextRule {
      switch self {
      case .title: TextRule(limit: 120, isRequired: true)
      case .place: TextRule(limit: 120)
      case .notes: TextRule(limit: 2_000, allowsLines: true)
      case .start, .end: TextRule(limit: 0)
      }
    }
  }
}
