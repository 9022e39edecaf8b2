public import Foundation

/// The content of an activity after validation: its title, place, notes, start and end.
///
/// Only ``ActivityDraft/validated(at:keeping:)`` and the store make details. The board therefore
/// contains only checked text.
public struct ActivityDetails: Sendable, Equatable {
  /// One line, 1 to 120 characters.
  public let title: String
  /// One line, or `nil` without a place.
  public let place: String?
  /// One or more lines, or `nil` without notes.
  public let notes: String?
  /// The start of the activity.
  public let start: Date
  /// The end of the activity, or `nil` if it is open.
  public let end: Date?

  package init(title: String, place: String?, notes: String?, start: Date, end: Date? = nil) {
    (self.title, self.place, self.notes, self.start, self.end) = (title, place, notes, start, end)
  }
}
