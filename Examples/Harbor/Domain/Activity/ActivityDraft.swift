public import Foundation

/// An activity as a person typed it, not yet checked.
public struct ActivityDraft: Sendable, Equatable {
  /// The title as typed.
  public var title: String
  /// The place as typed; blank for none.
  public var place: String
  /// The notes as typed; blank for none.
  public var notes: String
  /// When it begins, or `nil` where what was typed is no date.
  public var start: Date?

  /// A draft with these texts.
  public init(title: String, place: String = "", notes: String = "", start: Date?) {
    self.title = title
    self.place = place
    self.notes = notes
    self.start = start
  }

  /// Checks every field and returns what may go on the board.
  ///
  /// - Parameters:
  ///   - now: the current date; an activity may not begin before the minute that it falls into.
  ///   - kept: the date that the activity had, when one is edited: what has begun can still get a
  ///     better title, as long as its date stays.
  /// - Throws: ``ActivityProblems`` with one problem for each field that has one, never only the
  ///   first.
  public func validated(
    at now: Date, keeping kept: Date? = nil
  ) throws(ActivityProblems) -> ActivityDetails {
    var problems: [ActivityProblem] = []
    let title = Field.title.rule.apply(title) { problems.append(.init($0, in: .title)) }
    let place = Field.place.rule.apply(place) { problems.append(.init($0, in: .place)) }
    let notes = Field.notes.rule.apply(notes) { problems.append(.init($0, in: .notes)) }
    if let problem = problem(of: start, at: now, keeping: kept) { problems.append(problem) }
    guard problems.isEmpty, let start else { throw ActivityProblems(problems) }
    return ActivityDetails(
      title: title, place: place.isEmpty ? nil : place, notes: notes.isEmpty ? nil : notes,
      start: start)
  }

  private func problem(of start: Date?, at now: Date, keeping kept: Date?) -> ActivityProblem? {
    guard let start else { return .startMissing }
    if start == kept { return nil }
    // Date fields know minutes only: this very minute is not the past yet.
    if start.timeIntervalSince(now) <= -60 { return .startInPast }
    if start.timeIntervalSince(now) > Self.horizon { return .startTooFar }
    return nil
  }

  /// How far ahead an activity may lie: ten years, in seconds.
  ///
  /// What is beyond is a typing error.
  private static let horizon: TimeInterval = 10 * 366 * 86_400
}

extension ActivityDraft {
  /// The parts of a draft that can have a problem.
  public enum Field: String, Sendable, CaseIterable {
    case title, place, notes, start

    /// What a sentence about one such text calls it.
    var noun: String { self == .notes ? "note" : rawValue }

    var rule: TextRule {
      switch self {
      case .title: TextRule(limit: 120, isRequired: true)
      case .place: TextRule(limit: 120)
      case .notes: TextRule(limit: 2_000, allowsLines: true)
      case .start: TextRule(limit: 0)
      }
    }
  }
}
