public import Causeway
import HarborDomain

/// The parts of the page that belong to one person.
public struct PersonalViewState: Encodable, Sendable, Equatable {
  /// The person who uses the page.
  public var you: FeedViewState.You
  /// The members of cards that are different for this person, by the ids of the activities.
  ///
  /// The page shows these members in place of the members of the shared cards.
  public var mine: [String: OwnCard]
  /// The whole board while the person edits an activity; otherwise `nil`.
  ///
  /// A change of the shared board can arrive before the person's own parts. If another person
  /// deletes the edited activity, the form must stay until then too.
  public var days: [FeedViewState.Day]?
  /// Whether the form for a new activity is open on pages that do not always show it.
  public var isComposing: Bool
  /// The form for a new activity.
  public var composer: FeedViewState.Form
  /// The number that the page sends with a new activity.
  public var attempt: Int
  /// Whether the last sent activity was refused and is back in its form.
  public var isRefused: Bool
  /// The problem of the last failed write without a form, or empty.
  public var problem: String
  /// The last announcement: one element, or no element if there is none.
  public var announcements: [FeedInteractor.Announcement]
}

extension PersonalViewState {
  /// The members of a card that look different for a person.
  ///
  /// It does not contain what the shared card shows, such as the names of the participants. So the
  /// page's own state stays the same when other people join or leave.
  public struct OwnCard: Encodable, Sendable, Equatable {
    /// The host, if the person hosts the activity; otherwise `nil`.
    public var host: String?
    /// Whether the person hosts the activity, takes part, can join, and can still leave.
    public var isOwn, isJoined, canJoin, canLeave: Bool
    /// Whether a write of the activity takes long, and whether the form in the card's place is open.
    public var isBusy, isEditing: Bool
    /// The open form, or `nil`.
    public var editor: FeedViewState.Form?
  }
}

/// Derives a person's parts of the page, beside a ``BoardReducer`` for the shared parts.
public struct PersonalReducer: ViewStateReducer {
  private let wording: BoardWording
  private let whole: FeedReducer
  private let window: BoardWindow?

  /// Makes a reducer with this wording.
  ///
  /// - Parameter window: The window of the shared board; `nil` if it shows everything.
  public init(wording: BoardWording, window: BoardWindow? = nil) {
    (self.wording, self.window) = (wording, window)
    whole = FeedReducer(wording: wording, window: window)
  }

  /// Returns the person's parts of the page.
  ///
  /// Complexity: O(activities in the window + parts of the board).
  public func reduce(_ state: FeedInteractor.State) -> PersonalViewState {
    let isEditing = !state.editors.isEmpty
    var shown = state
    if !isEditing { shown.activities = nil }
    // This is a single call, because a call without the board would make the next call format all
    // cards again.
    let own = whole.reduce(shown)
    return PersonalViewState(
      you: own.you,
      mine: mine(state),
      days: isEditing ? own.days : nil,
      isComposing: own.isComposing, composer: own.composer, attempt: own.attempt,
      isRefused: own.isRefused, problem: own.problem, announcements: own.announcements)
  }

  /// The own members of the person's cards that the board shows.
  private func mine(_ state: FeedInteractor.State) -> [String: PersonalViewState.OwnCard] {
    let cards = CardReducer(wording: wording, state: state)
    let own = state.own(in: window)
    return Dictionary(
      (own.ahead + own.over).map { ($0.id, cards.ownCard($0)) }
    ) { first, _ in first }
  }
}
