/// A kind of mails about the activities that a person hosts or joins.
public enum MailKind: String, CaseIterable, Codable, Sendable {
  /// Another person has changed the time, the place or the title.
  case changed
  /// Another person has taken the activity off the board.
  case cancelled
  /// The activity begins on the next day.
  case reminder

  /// The words after "mails about".
  public var words: String {
    switch self {
    case .changed: "changes of activities"
    case .cancelled: "cancelled activities"
    case .reminder: "activities of the next day"
    }
  }
}
