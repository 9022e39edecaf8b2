/// The content of the page as texts.
public struct FeedViewState: Encodable, Sendable, Equatable {
  /// One line about the whole board.
  public var summary: String
  /// The person who uses the page.
  public var you: You
  /// Whether the board has not been read yet.
  public var isLoading: Bool
  /// Whether the board was read and has no activities.
  public var isEmpty: Bool
  /// The reason why the feed cannot follow the board, or empty.
  public var failure: String
  /// The board, day by day: future activities, then past activities.
  public var days: [Day]
  /// Whether the form for a new activity is open on pages that do not always show it.
  public var isComposing: Bool
  /// The form for a new activity.
  public var composer: Form
  /// The number that the page sends with a new activity.
  public var attempt: Int
  /// Whether the last sent activity was refused and is back in its form.
  public var isRefused: Bool
  /// The problem of the last failed write without a form, or empty.
  public var problem: String
  /// The last announcement: one element, or no element if there is none.
  public var announcements: [FeedInteractor.Announcement]
}

extension FeedViewState {
  /// The person who uses the page.
  public struct You: Encodable, Sendable, Equatable {
    /// The name, or empty.
    public var name: String
    /// The person's badge, or `nil` before the person has a name.
    public var badge: Person?
    /// Whether the field for the name is open.
    public var isNaming: Bool
    /// Whether an action waits for the name.
    public var isAsked: Bool
    /// Whether the field can be closed without a name.
    public var canCancel: Bool
    /// The text of the field.
    public var typed: String
    /// The problem of the text; empty if there is none.
    public var problem: String
    /// `true` or `false`, as an attribute for screen readers.
    public var invalid: String
  }

  /// A person who takes part.
  public struct Person: Encodable, Sendable, Equatable {
    /// The id, which is the same for all spellings of a name.
    public var id: String
    /// The name.
    public var name: String
    /// One or two letters.
    public var initials: String
    /// The CSS classes of the badge: one of six colours, always the same for a person.
    public var look: String
  }

  /// A day with activities.
  ///
  /// `Identifiable` lets the server encode only the changed days and cards of the board again.
  public struct Day: Encodable, Sendable, Equatable, Identifiable {
    /// The id of the day, the same on every page.
    public var id: String
    /// The name of the day, such as `Tomorrow`.
    public var name: String
    /// The date, such as `21 November`.
    public var date: String
    /// Whether all activities of the day are over.
    public var isOver: Bool
    /// The activities of the day, earliest first.
    public var cards: [Card]
  }

  /// An activity on the board.
  public struct Card: Encodable, Sendable, Equatable, Identifiable {
    /// The id of the activity.
    public var id: String
    /// The id of the element with the card's title.
    public var titleID: String
    /// The title.
    public var title: String
    /// The address of the activity's own page.
    public var address: String
    /// The title in quotation marks.
    ///
    /// A button has it after its verb, for screen readers only.
    public var quotedTitle: String
    /// The time of day, such as `18:30`, and the start in a machine-readable form.
    public var time, moment: String
    /// The end and the time until the start, such as `until 20:00 · in 3 days`.
    public var distance: String
    /// The place and the notes, or empty.
    public var place, notes: String
    /// The host, such as `Mira hosts`, and the number of participants, such as `4 come along`.
    public var host, coming: String
    /// The first few participants.
    public var people: [Person]
    /// The number of further participants, such as `+3`, or empty, and all names in one line.
    public var more, names: String
    /// Whether the activity is over, and whether the person who uses the page hosts it or takes part.
    public var isOver, isOwn, isJoined: Bool
    /// The text for `isJoined`.
    public var joinedText: String
    /// Whether the person who uses the page can join, and can still leave.
    public var canJoin, canLeave: Bool
    /// Whether a write of the activity takes long, and whether the device has changes of it that the
    /// server does not have yet.
    public var isBusy, isPending: Bool
    /// Whether the form in the card's place is open.
    public var isEditing: Bool
    /// The open form, or `nil`.
    public var editor: Form?
  }

  /// A form for an activity.
  public struct Form: Encodable, Sendable, Equatable {
    /// The id of the form, unique on the page.
    ///
    /// It is the prefix of the ids of its elements.
    public var id: String
    /// The id of the activity in whose place the form is; empty for a new activity.
    public var activityID: String
    /// The revision that a save of the form is based on.
    public var revision: Int
    /// The texts of the activity.
    public var title, place, notes: Field
    /// The start and the end, in the format of date fields.
    public var start, end: Field
    /// The earliest date that the field accepts.
    public var earliest: String
    /// The problem of the whole form, or empty.
    public var problem: String
    /// Whether a write of the form is running.
    public var isSaving: Bool
  }
  /// A field of a form.
  public struct Field: Encodable, Sendable, Equatable {
    /// The text.
    public var text: String
    /// The problem of the text; empty if there is none.
    public var problem: String
    /// The id of the element that shows the problem.
    public var problemID: String
    /// `true` or `false`, as an attribute for screen readers.
    public var invalid: String
  }
}
