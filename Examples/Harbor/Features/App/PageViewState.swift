public import HarborDomain

/// The content of a page as texts, beside the shared board.
public struct PageViewState: Encodable, Sendable, Equatable {
  /// The address of the shown part.
  public var address: String
  /// Whether the page shows an account's data.
  public var isSignedIn: Bool
  /// The part that is shown; all are false without a session.
  public var shows: Sections<Bool>
  /// The values of the links' attribute `aria-current`.
  public var current: Sections<String>
  /// The form of the sign-in.
  public var signIn: SignIn
  /// The account.
  public var account: Account
  /// The person's parts of the board.
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
  /// The banner of the connection.
  public var connection: Connection
}

extension PageViewState {
  /// A value for each part of the app.
  public struct Sections<Value: Encodable & Sendable & Equatable>: Encodable, Sendable, Equatable {
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
    public var name, problem, invalid: String
    public var isWorking, hasLocalAccount: Bool
  }

  /// The account.
  public struct Account: Encodable, Sendable, Equatable {
    public var name, problem: String
    /// Whether the account belongs to this machine and needs no passphrase.
    public var isLocal: Bool
  }

  /// The search and its results.
  public struct Search: Encodable, Sendable, Equatable {
    public var text, status, problem: String
    public var isSearching, canClear: Bool
    public var results: [Result]

    /// A found activity.
    public struct Result: Encodable, Sendable, Equatable, Identifiable {
      public var id, title, when, place, people: String
    }
  }

  /// The people of the group.
  public struct People: Encodable, Sendable, Equatable {
    public var isEmpty: Bool
    public var problem: String
    public var rows: [Row]

    /// A person.
    public struct Row: Encodable, Sendable, Equatable, Identifiable {
      public var id, name, initials, look, picture, count, problem: String
      public var hasPicture, isYou, isSaving: Bool
    }
  }

  /// The short links and the form for a new one.
  public struct Links: Encodable, Sendable, Equatable {
    public var name, target, problem, nameInvalid, targetInvalid, failure: String
    public var isEmpty, isLoading, isRefused: Bool
    public var rows: [Row]

    /// A link.
    public struct Row: Encodable, Sendable, Equatable, Identifiable {
      public var id, address, target: String
      public var isPending: Bool
    }
  }

  /// The feedback form.
  public struct Feedback: Encodable, Sendable, Equatable {
    public var text, problem: String
    public var part: Double
    public var isWriting, isSending, isSent, canRetry: Bool
  }

  /// The groups of the account.
  public struct Groups: Encodable, Sendable, Equatable {
    public var problem, code, invitation: String
    public var isWorking, isEmpty, hasCode: Bool
    public var rows: [Row]

    /// A group.
    public struct Row: Encodable, Sendable, Equatable, Identifiable {
      public var id, name: String
      public var isShown: Bool
    }
  }

  /// The banner of the connection.
  public struct Connection: Encodable, Sendable, Equatable {
    public var text, look, problem: String
    public var isOffline, isSyncing: Bool
    /// The part of the pending changes that the server has, from 0 to 1.
    public var part: Double
    public var refused: [RefusedChange]
  }
}
