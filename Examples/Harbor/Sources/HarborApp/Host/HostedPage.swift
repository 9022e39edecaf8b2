import CausewayData
import CausewayWeb
import HarborAccounts
import HarborBackend
import HarborDomain
import HarborFeatures

/// The account and the board of one page.
///
/// It retains what the page shares with others.
@MainActor final class HostedPage {
  let host: PageHost
  let session: WebSession
  let account: HostedAccount?
  let group: GroupRecord?
  let board: HostedBoard?
  /// Keeps the part of the board that the page shows.
  private let shown: BoardReach.Hold?
  /// How often the account's pages had begun again when this one was made.
  private let restarts: Int?

  init(
    _ host: PageHost, _ session: WebSession, _ account: HostedAccount?, _ group: GroupRecord?,
    _ board: HostedBoard?, _ shown: BoardReach.Hold?
  ) {
    (self.host, self.session) = (host, session)
    (self.account, self.group, self.board, self.shown) = (account, group, board, shown)
    restarts = account?.restarts
  }

  /// Whether the page has ended with all pages of its account.
  var hasRestarted: Bool { account?.restarts != restarts }

  /// A text with the author and the group of the invitation, if the page's address is an
  /// invitation.
  private(set) var invitation: String?

  var state: AccountState {
    var state = AccountState(
      id: account?.id, name: account?.person?.text ?? "", group: group?.id,
      hasLocalAccount: host.hasLocalAccount, signUp: host.backend.signUp)
    (state.canManage, state.invitation) = (account?.person != nil, invitation)
    let mails = account?.profile.value.mails ?? []
    (state.groupName, state.mail) = (group?.name, host.mail.map { _ in mails.first?.address ?? "" })
    state.mails = Set(mails.compactMap { $0.kind.flatMap(MailKind.init(rawValue:)) })
    return state
  }

  /// The address for a page whose account has already used its invitation; `nil` for all other
  /// pages.
  ///
  /// The call also reads the invitation.
  var address: String? {
    get async throws {
      guard let code = HarborInteractor.invitation(in: session.path),
        let (joined, author) = try await host.backend.invitation(code)
      else { return nil }
      invitation =
        "\(author ?? "You have an invitation")"
        + (author == nil ? "" : " invites you") + " to “\(joined.name)”."
      guard account?.groups.contains(where: { $0.id == joined.id }) == true else { return nil }
      return joined.id == group?.id ? "/" : "/account"
    }
  }

  /// The services of the page.
  func environment(_ wording: BoardWording) -> HarborEnvironment {
    let (backend, now, state) = (host.backend, host.now, state)
    let key = account?.nameKey(in: session.browser) ?? session.browser
    let name = BrowserName(host.names, browser: key, fallback: account?.person)
    let environment = HarborEnvironment(
      feed: FeedEnvironment(
        activities: NoBoard(), names: HostedName(page: self, stored: name), wording: wording,
        now: now,
        personal: board.map { PagePart($0.snapshot, name).board },
        beginning: { [snapshot = board?.snapshot] in
          .init(activities: snapshot?.value, person: name.latest)
        }),
      search: NoServices(), people: NoServices(), links: NoServices(), feedback: NoServices(),
      groups: NoServices(), connection: HostedConnection(host: host),
      account: HostedSession(page: self, state: state), beginning: state)
    guard let account else { return environment }
    environment.links = HostedLinks(records: backend.links(of: account.id), server: host.address)
    environment.feedback = HostedFeedback(backend: backend, account: account.id)
    environment.groups = HostedGroups(page: self, backend: backend, account: account)
    let browser = session.browser
    // Browsers use the account of the machine without a sign-in, so there is no complete list of
    // them.
    if account.person != nil {
      environment.browsers = HostedBrowsers(host: host, account: account.id, browser: browser)
    }
    guard let board, let group else { return environment }
    environment.feed.activities = SharedActivities(
      board: HostedActivities(
        records: backend.activities(of: group.id, as: account.id), now: now),
      snapshot: board.snapshot,
      admit: { [host] in host.creations.allows(browser) })
    environment.search = backend.search(of: group.id)
    environment.members = HostedMembers(backend: backend, group: group.id, account: account.id)
    environment.people = HostedPeople(
      records: backend.people(of: group.id, as: account.id), shared: board.people)
    return environment
  }
}
