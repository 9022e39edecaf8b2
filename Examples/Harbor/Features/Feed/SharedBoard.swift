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
}

/// Derives the shared parts of the page from a feed without a person.
public struct BoardReducer: ViewStateReducer {
  private let whole: FeedReducer

  /// Makes a reducer with this wording.
  public init(wording: BoardWording) {
    whole = FeedReducer(wording: wording)
  }

  /// Returns the shared parts of the page.
  ///
  /// Complexity: O(*n* log *n*) in the number of activities.
  public func reduce(_ state: FeedInteractor.State) -> BoardViewState {
    let whole = whole.reduce(state)
    return BoardViewState(
      summary: whole.summary, isLoading: whole.isLoading, isEmpty: whole.isEmpty,
      failure: whole.failure, days: whole.days)
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
