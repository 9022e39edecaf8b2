/// Why the board could not do what was asked.
public enum ActivityError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The activity is not on the board any more.
  case deleted
  /// Somebody else changed it since the revision that the edit was based on.
  case changedMeanwhile(current: Activity)
  /// The store failed; its own words. Nothing was changed.
  case notStored(reason: String)
  /// The board could not be read; the store's own words.
  case notRead(reason: String)

  /// A sentence for the person who asked: what happened, and what to do.
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
