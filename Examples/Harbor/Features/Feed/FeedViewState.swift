/// The content of the page, in the words of the page.
public struct FeedViewState: Encodable, Sendable, Equatable {
  /// One line about the board as a whole.
  public var summary: String
  /// Who the person is.
  public var you: You
  /// Whether the board was not read yet.
  public var isLoading: Bool
  /// Whether the board was read and has nothing on it.
  public var isEmpty: Bool
  /// Why the board cannot be followed; empty when it can.
  public var failure: String
  /// The board, day by day: what is ahead, then what is over.
  public var days: [Day]
  /// Whether the form for a new activity is open where it is not always in sight.
  public var isComposing: Bool
  /// The form for a new activity.
  public var composer: Form
  /// The number that a new activity is sent with.
  public var attempt: Int
  /// Whether the last activity that was sent is back in its form.
  public var isRefused: Bool
  /// The problem of the last write that has no form of its own, or empty.
  public var problem: String
  /// The last announcement: none or one.
  public var announcements: [FeedInteractor.Announcement]
}

extension FeedViewState {
  /// The person in front of the page.
  public struct You: Encodable, Sendable, Equatable {
    /// The name, or empty.
    public var name: String
    /// The badge, or none yet.
    public var badges: [Person]
    /// Whether the field for the name is open.
    public var isNaming: Bool
    /// Whether something waits for the name.
    public var isAsked: Bool
    /// Whether the field can be closed without a name.
    public var canCancel: Bool
    /// The text of the field.
    public var typed: String
    /// The problem of the text, or empty.
    public var problem: String
    /// `true` or `false`, as an attribute for those who hear the page.
    public var invalid: String
  }

  /// A person who comes.
  public struct Person: Encodable, Sendable, Equatable {
    /// The same for all spellings of a name.
    public var id: String
    /// The name.
    public var name: String
    /// One or two letters.
    public var initials: String
    /// The classes of the page's badge: one of six colours, the same person always has the same.
    public var look: String
    /// Whether that is the person in front of the page.
    public var isYou: Bool
  }

  /// A day with something on it.
  public struct Day: Encodable, Sendable, Equatable {
    /// The same on every page.
    public var id: String
    /// Such as `Tomorrow`.
    public var name: String
    /// Such as `21 November`.
    public var date: String
    /// Whether all its activities are over.
    public var isOver: Bool
    /// Its activities, earliest first.
    public var cards: [Card]
  }

  /// An activity on the board.
  public struct Card: Encodable, Sendable, Equatable {
    /// The activity's.
    public var id: String
    /// The id of the element that names the card.
    public var titleID: String
    /// The title.
    public var title: String
    /// The title after the verb of a button, for those who hear the page.
    public var quotedTitle: String
    /// Such as `18:30`.
    public var time: String
    /// The same for machines.
    public var moment: String
    /// Such as `in 3 days`.
    public var distance: String
    /// Where, or empty.
    public var place: String
    /// Some lines, or empty.
    public var notes: String
    /// Such as `Mira hosts`.
    public var host: String
    /// Such as `4 come along`.
    public var coming: String
    /// The first few who come.
    public var people: [Person]
    /// How many more come, such as `+3`; empty for none.
    public var more: String
    /// All names in one line, for those who hear the page.
    public var names: String
    /// Whether it is over.
    public var isOver: Bool
    /// Whether the person in front of the page comes.
    public var isJoined: Bool
    /// That in words.
    public var joinedText: String
    /// Whether that person can join.
    public var canJoin: Bool
    /// Whether that person can still leave.
    public var canLeave: Bool
    /// Whether a write is under way.
    public var isBusy: Bool
    /// Whether its form is open.
    public var isEditing: Bool
    /// The open form: none or one.
    public var editors: [Form]
  }

  /// A form for an activity.
  public struct Form: Encodable, Sendable, Equatable {
    /// Different for each form that is open; prefixes the ids of its elements.
    public var id: String
    /// The title.
    public var title: Field
    /// The place.
    public var place: Field
    /// The notes.
    public var notes: Field
    /// The date, as date fields write it.
    public var start: Field
    /// The first date that the field offers.
    public var earliest: String
    /// The problem of the whole form, or empty.
    public var problem: String
    /// Whether a write of it is under way.
    public var isSaving: Bool
  }
  /// A field of a form.
  public struct Field: Encodable, Sendable, Equatable {
    /// The text.
    public var text: String
    /// The problem of the text, or empty.
    public var problem: String
    /// The id of the element that says so.
    public var problemID: String
    /// `true` or `false`, as an attribute for those who hear the page.
    public var invalid: String
  }
}
