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
  /// The text of the link to the next page and its address; empty on the last page.
  public var more, moreAddress: String
  /// The text of the link to the archive; empty if the page does not have it.
  public var past: String
  /// The heading of a page that is not the board's first one, or empty.
  public var heading: String
  /// The title of the page with a single activity, or empty.
  public var title: String
  /// The address of the shown activity for a calendar, or empty.
  public var calendar: String
  /// Whether the page is not the first page of the board.
  public var isPart: Bool
}

/// Derives the shared parts of the page from a feed without a person.
public struct BoardReducer: ViewStateReducer {
  private let wording: BoardWording
  private let window: BoardWindow?
  private let whole: FeedReducer

  /// Makes a reducer with this wording.
  ///
  /// - Parameter window: The activities to show; `nil` for all.
  public init(wording: BoardWording, window: BoardWindow? = nil) {
    (self.wording, self.window) = (wording, window)
    whole = FeedReducer(wording: wording, window: window)
  }

  /// Returns the shared parts of the page.
  ///
  /// Complexity: O(shown activities + parts of the board).
  public func reduce(_ state: FeedInteractor.State) -> BoardViewState {
    let (whole, order) = whole.reduceBoard(state)
    let isPart = window.map { $0 != .first } ?? false
    var view = BoardViewState(
      summary: whole.summary, isLoading: whole.isLoading, isEmpty: whole.isEmpty && !isPart,
      failure: whole.failure, days: whole.days, more: "", moreAddress: "", past: "", heading: "",
      title: "", calendar: "", isPart: isPart)
    guard let window else { return view }
    if window.page > 0 { view.heading = "Page \(window.page + 1)" }
    var more = ""
    switch window.part {
    case .ahead:
      more = "Later activities (\(order.aheadCount - window.end))"
      if order.overCount > 0, window == .first {
        view.past = "Past activities (\(order.overCount))"
      }
    case .over:
      more = "Earlier activities (\(order.overCount - window.end))"
      view.heading = "Past activities\(window.page > 0 ? ", page \(window.page + 1)" : "")"
    case .day(_, let start):
      more = "Later activities"
      let date = wording.dayDate(start, at: state.now)
      view.heading = "From \(date) on\(window.page > 0 ? ", page \(window.page + 1)" : "")"
    case .activity:
      view.title = whole.days.first?.cards.first?.title ?? ""
      if !whole.isEmpty { view.calendar = "\(window.address)/calendar.ics" }
      view.heading = whole.isEmpty ? "This activity is not on the board" : ""
    }
    if isPart, whole.isEmpty, !window.isActivity { view.heading += ": nothing here" }
    if let next = window.next, order.hasMore(after: window) {
      view.more = more
      view.moreAddress = "\(next.address)#board"
    }
    return view
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
