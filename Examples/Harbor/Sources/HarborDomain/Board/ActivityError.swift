/// The reason why a request to the board failed.
public enum ActivityError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The activity is not on the board any more.
  case deleted
  /// Another person has changed it since the revision that the edit is based on.
  case changedMeanwhile(current: Activity)
  /// The store failed and changed nothing. The reason is the store's text.
  case notStored(reason: String)
  /// The board could not be read. The reason is the store's text.
  case notRead(reason: String)

  /// A sentence for the user: the problem and its fix.
  public var description: String {
    switch self {
    case .deleted: "Somebody has taken this activity off the board."
    case .changedMeanwhile:
      """
      Somebody changed this activity while you were editing. Your text is still here: save again \
      to replace theirs, or cancel to keep it.
      """
    case .notStored(let reason): "This could not be saved, and nothing was changed. \(reason)"
    case .notRead(let reason): "The board could not be read. \(reason)"
    }
  }
}
