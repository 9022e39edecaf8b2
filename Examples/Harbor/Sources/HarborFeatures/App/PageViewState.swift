public import HarborDomain

/// The content of a page as texts, except the shared board.
public struct PageViewState: Encodable, Sendable, Equatable {
  /// The title of the page; `nil` if it is that of the shared board.
  public var title: String?
  /// The address of the shown part.
  public var address: String
  /// Whether the page shows an account's data.
  public var isSignedIn: Bool
  /// Whether the page shows the sign-in.
  public var asksForAccount: Bool
  /// The part that is shown; all are false without a session.
  public var shows: Sections<Bool>
  /// The values of the links' attribute `aria-current`.
  public var current: Sections<String>
  /// The form of the sign-in.
  public var signIn: SignIn
  /// The account.
  public var account: Account
  /// The parts of the board that only this person sees.
  public var feed: PersonalViewState
  /// The search.
  public var search: Search
  /// The people.
  public var people: People
  /// The short links.
  public var links: Links
  /// The feedback form.
  public var feedback: Feedback
  /// The groups.
  public var groups: Groups
  /// The browsers of the account.
  public var browsers: Browsers
  /// The members and invitations of the shown group.
  public var members: Members
  /// The banner of the connection.
  public var connection: Connection
}

extension PageViewState {
  /// A value for each part of the app.
  public struct Sections<Value: Encodable & Sendable & Equatable>: Encodable, Sendable, Equatable {
    /// The value for each part.
    public var board, search, people, links, feedback, account: Value

    @MainActor init(_ value: (HarborInteractor.Section) -> Value) {
      board = value(.board)
      search = value(.search)
      people = value(.people)
      links = value(.links)
      feedback = value(.feedback)
      account = value(.account)
    }
  }

  /// The form of the sign-in.
  public struct SignIn: Encodable, Sendable, Equatable {
    /// The typed name and invitation, who invites to which group, the problem of a sign-in or sign-out,
    /// and `true` or `false` for screen readers.
    public var name, invitation, inviter, problem, invalid: String
    /// The changes that accounts have left on this device, as a sentence, or empty.
    public var unsent: String
    /// Whether an attempt is running, and whether this machine has an account.
    public var isWorking, hasLocalAccount: Bool
    /// Whether the person can make an account, and whether the form of the sign-in offers it, with a
    /// field for an invitation.
    public var canSignUp, offersSignUp, asksForInvitation: Bool
    /// Whether the page has an invitation, so that a newcomer gets a form of their own.
    public var isInvited: Bool
    /// The rule for a new passphrase, and the problem of the newcomer's form.
    public var rule, newcomerProblem: String
  }

  /// The account.
  public struct Account: Encodable, Sendable, Equatable {
    /// The name, the name of the shown group, and the problems of a sign-out, of a new passphrase and
    /// of a deletion.
    ///
    /// `mail` is the result of a change of the mail address, and `address` the confirmed address.
    public var name, group, mail, address, problem, passphraseProblem, deletionProblem: String
    /// Whether the account belongs to this machine, whether the page can change and delete it, and
    /// whether it has just got a new passphrase.
    ///
    /// An account of this machine needs no passphrase. `hasMail` is whether the person can enter an
    /// address for mails.
    public var isLocal, canManage, isChanged, hasMail: Bool
    /// The kinds of mails that the person can choose; empty without a confirmed address.
    public var mails: [Mail]

    /// A kind of mails.
    public struct Mail: Encodable, Sendable, Equatable, Identifiable {
      /// The id, and the subject of the mails.
      public var id, text: String
      /// Whether the person gets them.
      public var isOn: Bool
    }
  }

  /// The search and its results.
  public struct Search: Encodable, Sendable, Equatable {
    /// The text in the field, the number of results in words, and the problem.
    public var text, status, problem: String
    /// Whether a search is running, and whether the field has a text.
    public var isSearching, canClear: Bool
    /// Whether there are more results than the page shows.
    public var hasMore: Bool
    /// The shown activities, earliest first.
    public var results: [Result]

    /// A found activity.
    public struct Result: Encodable, Sendable, Equatable, Identifiable {
      /// The texts of the activity.
      public var id, title, address, when, place, people: String
    }
  }

  /// The people of the group.
  public struct People: Encodable, Sendable, Equatable {
    /// Whether there are no people.
    public var isEmpty: Bool
    /// The reason why the list cannot be read, or empty.
    public var problem: String
    /// The people by name.
    public var rows: [Row]

    /// A person.
    public struct Row: Encodable, Sendable, Equatable, Identifiable {
      /// The texts of the person; `picture` is an address, or empty.
      public var id, name, initials, look, picture, count, problem: String
      /// The marks of the person.
      public var hasPicture, isSaving: Bool
    }
  }

  /// The short links and the form for a new one.
  public struct Links: Encodable, Sendable, Equatable {
    /// The texts of the form and their problems.
    public var name, target, problem, nameInvalid, targetInvalid, failure: String
    /// The state of the list, and whether the form was refused.
    public var isEmpty, isLoading, isRefused: Bool
    /// The links by name.
    public var rows: [Row]

    /// A link.
    public struct Row: Encodable, Sendable, Equatable, Identifiable {
      /// The name, the short address and the target.
      public var id, address, target: String
      /// Whether the server does not have the link yet.
      public var isPending: Bool
    }
  }

  /// The feedback form.
  public struct Feedback: Encodable, Sendable, Equatable {
    /// The text of a refused form, and the problem.
    public var text, problem: String
    /// The sent part, from 0 to 1.
    public var part: Double
    /// The stage of the form.
    public var isWriting, isSending, isSent, canRetry: Bool
  }

  /// The groups of the account.
  public struct Groups: Encodable, Sendable, Equatable {
    /// The problem, the code of the page's invitation and who has made it, and the addresses of a new
    /// invitation and of a new calendar.
    public var problem, code, inviter, invitation, calendar: String
    /// Whether no board is shown.
    public var isEmpty: Bool
    /// Whether the page asks for a group in the place of the board.
    public var isMissing: Bool
    /// Whether the page's address is an invitation.
    public var hasCode: Bool
    /// The groups by name.
    public var rows: [Row]

    /// A group.
    public struct Row: Encodable, Sendable, Equatable, Identifiable {
      /// The id and the name.
      public var id, name: String
      /// Whether the pages show the group's board.
      public var isShown: Bool
    }
  }

  /// The browsers of the account.
  public struct Browsers: Encodable, Sendable, Equatable {
    /// The reason why the list cannot be read or changed, or empty.
    public var problem: String
    /// Whether there is no list.
    public var isEmpty: Bool
    /// The browsers, most recently used first.
    public var rows: [Row]

    /// A browser.
    public struct Row: Encodable, Sendable, Equatable, Identifiable {
      /// The id, the kind of browser, and the days of the sign-in and of the last use.
      public var id, label, days: String
      /// Whether the page is in this browser.
      public var isOwn: Bool
    }
  }

  /// The members and invitations of the shown group.
  public struct Members: Encodable, Sendable, Equatable {
    /// The name of the group, and the reason why a list cannot be read or changed.
    public var group, problem: String
    /// Whether there is no list of members, or of invitations.
    public var isEmpty, hasNoInvitations: Bool
    /// Whether the person is known not to organise the group, so the page hides what only organisers
    /// can do.
    public var isPlain: Bool
    /// The members, in the order in which they joined the group.
    public var rows: [Row]
    /// The invitations that have not expired.
    public var invitations: [Row]

    /// A member or an invitation.
    public struct Row: Encodable, Sendable, Equatable, Identifiable {
      /// The id, the name, and a description.
      public var id, name, text: String
      /// Whether the person can end it, and make it an organiser.
      public var canEnd, canPromote: Bool
    }
  }

  /// The banner of the connection.
  public struct Connection: Encodable, Sendable, Equatable {
    /// The sentence, its CSS classes, and the problem of a retry.
    public var text, look, problem: String
    /// The state of the connection.
    public var isOffline, isSyncing: Bool
    /// The change that can be set aside, or nothing.
    public var stuck: [StuckChange]
    /// How much of the pending changes has been sent, from 0 to 1.
    public var part: Double
    /// The changes that the server has refused.
    public var refused: [RefusedChange]
  }
}
