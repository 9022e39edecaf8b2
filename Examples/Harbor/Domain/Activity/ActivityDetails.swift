public import Foundation

/// The content of an activity after validation: its title, place, notes and start.
///
/// Only ``ActivityDraft/validated(at:keeping:)`` and the store make one, so text that was not
/// checked can never reach the board.
public struct ActivityDetails: Sendable, Equatable {
  /// One line, 1 to 120 characters.
  public let title: String
  /// One line, or `nil` where no place was given.
  public let place: String?
  /// Some lines, or `nil` where there are none.
  public let notes: String?
  /// When it begins.
  public let start: Date

  package init(title: String, place: String?, notes: String?, start: Date) {
    self.title = title
    self.place = place
    self.notes = notes
    self.start = start
  }
}
