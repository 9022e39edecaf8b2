public import Causeway
import HarborDomain

/// The parts of the page that belong to one person.
public struct PersonalViewState: Encodable, Sendable, Equatable {
  /// The person who uses the page.
  public var you: FeedViewState.You
  /// The cards that look different for this person, by the ids of their activities.
  ///
  /// The page shows them in the places of the shared cards.
  public var mine: [String: FeedViewState.Card]
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

/// Derives a person's parts of the page, beside a ``BoardReducer`` for the shared parts.
public struct PersonalReducer: ViewStateReducer {
  private let wording: BoardWording
  private let whole: FeedReducer

  /// Makes a reducer with this wording.
  public init(wording: BoardWording) {
    self.wording = wording
    whole = FeedReducer(wording: wording)
  }

  /// Returns the person's parts of the page.
  ///
  /// Complexity: O(*n*) in the number of activities and their participants.
  public func reduce(_ state: FeedInteractor.State) -> PersonalViewState {
    let isEditing = !state.editors.isEmpty
    var shown = state
    if !isEditing { shown.activities = nil }
    // One call: a call without the board would make the next one format all cards again.
    let own = whole.reduce(shown)
    let cards = CardReducer(wording: wording, state: state)
    return PersonalViewState(
      you: own.you,
      mine: Dictionary(state.ownActivities.map { ($0.id, cards.card($0)) }) { first, _ in first },
      days: isEditing ? own.days : nil,
      isComposing: own.isComposing, composer: own.composer, attempt: own.attempt,
      isRefused: own.isRefused, problem: own.problem, announcements: own.announcements)
  }
}
