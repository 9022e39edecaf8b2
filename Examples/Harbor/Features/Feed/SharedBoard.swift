public import Causeway
public import HarborDomain

/// The parts of the page that are the same for all people.
public struct BoardViewState: Encodable, Sendable, Equatable {
  /// One line about the whole board.
  public var summary: String
  /// Whether the board has not been read yet.
  public var isLoading: Bool
  /// Whether the board was read and has no activities.
  public var isEmpty: Bool
  /// The reason why the server cannot follow the board, or empty.
  public var failure: String
  /// The board as shown to a person who neither hosts nor joins an activity.
  public var days: [FeedViewState.Day]
  /// The text of the link to a larger board, or empty if the board shows everything.
  public var more: String
  /// The address of the larger board, where the page begins with the last shown activity.
  public var moreAddress: String
}

/// Derives the shared parts of the page from a feed without a person.
public struct BoardReducer: ViewStateReducer {
  private let wording: BoardWording
  private let window: BoardWindow
  private let whole: FeedReducer

  /// Makes a reducer with this wording.
  ///
  /// - Parameter window: The number of activities to show.
  public init(wording: BoardWording, window: BoardWindow = .first) {
    (self.wording, self.window) = (wording, window)
    whole = FeedReducer(wording: wording, rows: window.rows)
  }

  /// Returns the shared parts of the page.
  ///
  /// Complexity: O(*n*) in the number of activities if they are sorted by their start.
  public func reduce(_ state: FeedInteractor.State) -> BoardViewState {
    let (whole, hidden) = whole.reduceBoard(state)
    let next = hidden > 0 ? window.next : nil
    return BoardViewState(
      summary: whole.summary, isLoading: whole.isLoading, isEmpty: whole.isEmpty,
      failure: whole.failure, days: whole.days,
      more: next == nil
        ? "" : "Show more (\(wording.count(hidden, "activity is", "activities are")) not shown)",
      moreAddress: next.map { "\($0.address)#\(whole.days.last?.cards.last?.titleID ?? "")" } ?? "")
  }
}

/// The name repository of the feed for all people; it never contains a name.
public struct NoName: NameRepositoryProtocol {
  /// Makes it.
  public init() {}

  /// Returns `nil`.
  public func remembered() async throws(ActivityError) -> PersonName? { nil }

  /// Does nothing.
  public func remember(_ name: PersonName) async throws(ActivityError) {}
}
