public import Causeway
import CausewayFoundation
public import HarborDomain

/// The app of a signed-in person.
public struct HomeInteractor: Interactor {
  /// The state of all features.
  public struct State: Sendable, Equatable {
    /// The account.
    public internal(set) var account: AccountState
    /// The board of the group; `nil` without a group.
    public internal(set) var feed: FeedInteractor.State?
    /// The search.
    public internal(set) var search = SearchInteractor.State()
    /// The people.
    public internal(set) var people = PeopleInteractor.State()
    /// The short links.
    public internal(set) var links = LinksInteractor.State()
    /// The feedback form.
    public internal(set) var feedback = FeedbackInteractor.State()
    /// The groups.
    public internal(set) var groups: GroupsInteractor.State
    /// The browsers of the account.
    public internal(set) var browsers = BrowsersInteractor.State()
    /// The members and invitations of the group.
    public internal(set) var members = MembersInteractor.State()
    /// The passphrase and the end of the account.
    public internal(set) var own = OwnAccountInteractor.State()
    /// The banner of the connection.
    public internal(set) var connection = ConnectionInteractor.State()
  }

  /// The actions of all features.
  public enum Action: Sendable, Equatable {
    /// Starts the features that every page needs.
    case appear
    /// Ends the session and removes the account's data.
    case signOut
    /// An action of the board.
    case feed(FeedInteractor.Action)
    /// An action of the search.
    case search(SearchInteractor.Action)
    /// An action of the people.
    case people(PeopleInteractor.Action)
    /// An action of the short links.
    case links(LinksInteractor.Action)
    /// An action of the feedback form.
    case feedback(FeedbackInteractor.Action)
    /// An action of the groups.
    case groups(GroupsInteractor.Action)
    /// An action of the list of browsers.
    case browsers(BrowsersInteractor.Action)
    /// An action of the lists of members and invitations.
    case members(MembersInteractor.Action)
    /// A change of the account.
    case own(OwnAccountInteractor.Action)
    /// An action of the banner of the connection.
    case connection(ConnectionInteractor.Action)
  }

  let environment: HarborEnvironment
  let account: SharedValue<AccountState>

  /// Handles each action.
  public var body: some InteractorOf<Self> {
    let first = State(account: environment.beginning, groups: .init())
    return Interact<State, Action>(initialValue: first) { [environment] state, action in
      switch action {
      case .appear:
        return .merge(
          state.feed == nil ? .state : .action(.feed(.appear)),
          .action(.connection(.appear)), .action(.members(.appear)))
      case .signOut:
        state.account.problem = nil
        return .perform(.first, id: "sign out") { [account = environment.account] _ in
          try await account.signOut()
        } catch: { state, error in
          // On a device, the sign-in shows the failure: the account is gone from this page.
          state.account.problem = Sentence.of(error)
        }
      case .connection(.retry) where state.feed?.boardProblem != nil:
        return .action(.feed(.appear))
      case .feed, .search, .people, .links, .feedback, .groups, .browsers, .members, .own,
        .connection:
        return .state
      }
    }
    .sharing(\.account, account)
    .ifLet(\.feed, action: \.feed, embed: Action.feed) { [environment] in
      FeedInteractor(environment: environment.feed)
    }
    .scope(state: \.search, action: \.search, embed: Action.search) { [environment] in
      SearchInteractor(repository: environment.search)
    }
    .scope(state: \.people, action: \.people, embed: Action.people) { [environment] in
      PeopleInteractor(people: environment.people)
    }
    .scope(state: \.links, action: \.links, embed: Action.links) { [environment] in
      LinksInteractor(links: environment.links).providing(.date, environment.feed.now)
    }
    .scope(state: \.feedback, action: \.feedback, embed: Action.feedback) { [environment] in
      FeedbackInteractor(service: environment.feedback)
    }
    .scope(state: \.groups, action: \.groups, embed: Action.groups) { [environment] in
      GroupsInteractor(groups: environment.groups)
    }
    .scope(state: \.browsers, action: \.browsers, embed: Action.browsers) { [environment] in
      BrowsersInteractor(list: environment.browsers)
    }
    .scope(state: \.members, action: \.members, embed: Action.members) { [environment] in
      MembersInteractor(list: environment.members, account: environment.beginning.id)
    }
    .scope(state: \.own, action: \.own, embed: Action.own) { [environment] in
      OwnAccountInteractor(account: environment.account)
    }
    .scope(state: \.connection, action: \.connection, embed: Action.connection) { [environment] in
      ConnectionInteractor(connection: environment.connection)
    }
  }
}

extension HomeInteractor.Action {
  var feed: FeedInteractor.Action? { if case .feed(let own) = self { own } else { nil } }
  var search: SearchInteractor.Action? { if case .search(let own) = self { own } else { nil } }
  var people: PeopleInteractor.Action? { if case .people(let own) = self { own } else { nil } }
  var links: LinksInteractor.Action? { if case .links(let own) = self { own } else { nil } }
  var feedback: FeedbackInteractor.Action? { if case .feedback(let a) = self { a } else { nil } }
  var groups: GroupsInteractor.Action? { if case .groups(let own) = self { own } else { nil } }
  var browsers: BrowsersInteractor.Action? { if case .browsers(let a) = self { a } else { nil } }
  var members: MembersInteractor.Action? { if case .members(let own) = self { own } else { nil } }
  var own: OwnAccountInteractor.Action? { if case .own(let own) = self { own } else { nil } }
  var connection: ConnectionInteractor.Action? {
    if case .connection(let own) = self { own } else { nil }
  }
}
