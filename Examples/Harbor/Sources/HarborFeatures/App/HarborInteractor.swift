public import Causeway
public import HarborDomain

/// The whole app: the session and the address determine the content of a page.
public struct HarborInteractor: Interactor {
  /// The state of a page.
  public struct State: Sendable, Equatable {
    /// The part of the app that the page shows.
    public internal(set) var section: Section
    /// The stage of the session.
    public internal(set) var stage: Stage
    /// The last state of the account that the page has received.
    public internal(set) var account: AccountState
    /// Whether the page belongs to an earlier account or to none.
    ///
    /// The server ends such a page, and its actions could get lost. So it shows no form.
    public internal(set) var hasEnded = false
  }

  /// The stages of the session.
  public enum Stage: Sendable, Equatable {
    /// The page asks for an account.
    case signedOut(SignInInteractor.State)
    /// The page shows the account's data.
    case signedIn(HomeInteractor.State)

    var signedOut: SignInInteractor.State? {
      if case .signedOut(let state) = self { state } else { nil }
    }
    var signedIn: HomeInteractor.State? {
      if case .signedIn(let state) = self { state } else { nil }
    }
  }

  /// The parts of the app, by their addresses.
  public enum Section: String, Sendable, Equatable, CaseIterable {
    /// The parts, in the order of the navigation.
    case board, search, people, links, feedback, account

    /// The address of the page.
    public var address: String { self == .board ? "/" : "/\(rawValue)" }

    /// The part with this address; the board for all other addresses.
    public init(address: String) {
      let name = address.split(separator: "?").first?.split(separator: "/").first
      // An invitation is on the page of the account.
      self = name == "join" ? .account : Section(rawValue: String(name ?? "")) ?? .board
    }
  }

  /// The actions of a page.
  public enum Action: Sendable, Equatable {
    /// Follows the session, and shows the part of an address.
    case appear
    /// Shows the part with this address.
    case visit(String)
    /// An action of the sign-in.
    case signIn(SignInInteractor.Action)
    /// An action of a signed-in person.
    case home(HomeInteractor.Action)

    /// The actions of the stages.
    var stage: Action? {
      switch self {
      case .signIn, .home: self
      case .appear, .visit: nil
      }
    }
    var signIn: SignInInteractor.Action? {
      if case .signIn(let action) = self { action } else { nil }
    }
    var home: HomeInteractor.Action? { if case .home(let action) = self { action } else { nil } }
  }

  private let environment: HarborEnvironment
  private let address: String
  /// The account, which the whole page shows.
  private let account: SharedValue<AccountState>

  /// Makes the app of a page.
  ///
  /// - Parameters:
  ///   - environment: The services of the device.
  ///   - address: The path of the page, such as `/people`.
  public init(environment: HarborEnvironment, address: String) {
    self.environment = environment
    self.address = address
    account = SharedValue(environment.beginning)
  }

  /// Handles each action.
  public var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: first) { [environment] state, action in
      switch action {
      case .appear:
        return .merge(
          .observe(environment.account.accounts(), id: "account") { Self.follow($1, &$0) },
          state.stage.signedIn == nil ? .state : .action(.home(.appear)), begin(state))
      case .visit(let address):
        state.section = Section(address: address)
        return begin(state)
      case .home(.feed(.startNaming)):
        // The field for the name is beside the board.
        state.section = .board
        return .state
      case .signIn, .home:
        return .state
      }
    }
    .sharing(\.account, account)
    .scope(state: \.stage, action: \.stage, embed: { $0 }) { [environment, account] in
      StageInteractor(environment: environment, account: account)
    }
  }

  /// The code of the invitation whose address this is; `nil` for all other addresses.
  package static func invitation(in address: String) -> String? {
    let parts = address.split(separator: "/")
    return parts.first == "join" && parts.count == 2 ? String(parts[1]) : nil
  }

  /// The first state, for the account at the time when the page is made.
  private var first: State {
    let account = environment.beginning
    let code = Self.invitation(in: address)
    guard account.id != nil else {
      return State(
        section: Section(address: address), stage: .signedOut(.init(account, code: code)),
        account: account)
    }
    var home = HomeInteractor.State(account: account, groups: .init(code: code))
    if account.group != nil { home.feed = FeedInteractor.State(environment: environment.feed) }
    return State(section: Section(address: address), stage: .signedIn(home), account: account)
  }

  /// Starts the people, the links, or the groups and browsers when the page shows them.
  private func begin(_ state: State) -> Emission<State, Action> {
    guard let home = state.stage.signedIn else { return .state }
    switch state.section {
    case .people where home.feed != nil: return .action(.home(.people(.appear)))
    case .links: return .action(.home(.links(.appear)))
    case .account:
      return .merge(
        .action(.home(.groups(.appear))), .action(.home(.browsers(.appear))),
        .action(.home(.members(.showInvitations))))
    default: return .state
    }
  }

  /// Removes all data of an account from the page as soon as its session ends.
  ///
  /// Another account is shown in a new page session, which the server starts.
  private static func follow(_ account: AccountState, _ state: inout State) {
    if account.id != state.account.id {
      state.hasEnded = true
      state.stage = .signedOut(.init(account))
    } else if var home = state.stage.signedIn {
      home.account.name = account.name
      if account.mail != state.account.mail {
        // The link in the mail was opened, or the address was removed, perhaps in another browser.
        home.own.mail = account.mail == "" ? OwnAccountInteractor.noMails : nil
      }
      state.stage = .signedIn(home)
    }
    state.account = account
  }
}

/// The feature of each stage of the session.
struct StageInteractor: Interactor {
  typealias State = HarborInteractor.Stage
  typealias Action = HarborInteractor.Action

  let environment: HarborEnvironment
  let account: SharedValue<AccountState>

  var body: some InteractorOf<Self> {
    Interact<State, Action>()
      .ifCase(
        \.signedOut, embed: State.signedOut, action: \.signIn, embed: Action.signIn
      ) { [environment] in
        SignInInteractor(account: environment.account)
      }
      .ifCase(
        \.signedIn, embed: State.signedIn, action: \.home, embed: Action.home
      ) { [environment, account] in
        HomeInteractor(environment: environment, account: account)
      }
  }
}
