import CausewayData
import CausewayStreams
import CausewayWeb
import Foundation
import HarborBackend
import HarborDomain
import HarborFeatures

/// The pages of the process of the backend: they work on its functions and its database.
///
/// A page needs no copy of the rows and no request. Its changes are acknowledged when the backend's
/// transaction is stored. All pages show one account.
@MainActor final class PageHost: PageSource {
  let backend: Backend
  let names: NameRepository
  /// The address of short links.
  let server: URL
  let accountStates = Published(AccountState())
  var restartPages: @MainActor () -> Void = {}
  private let sample: @Sendable () -> SampleBoard?
  private let now: @Sendable () -> Date
  /// The new activities of each browser.
  private let creations: RateLimiter
  private let changes = ChangeQueue()
  private var account: HostedAccount?
  private var hostedBoards: [String: HostedBoard] = [:]
  private var isStopped = false

  /// Continues the session of the last run, or begins the first one.
  ///
  /// - Parameters:
  ///   - server: The address of the server that answers short links.
  ///   - sample: Makes the activities of a new board.
  static func open(
    _ backend: Backend, at server: URL, now: @escaping @Sendable () -> Date = { Date() },
    creationsPerMinute: Int = 1_200, sample: @escaping @Sendable () -> SampleBoard?
  ) async throws -> PageHost {
    let host = PageHost(
      backend, server, now, RateLimiter(creationsPerMinute, per: .seconds(60), date: now), sample)
    try await host.names.load()
    if let session = try await backend.hostSession() {
      await host.begin(session)
    } else {
      try await host.signInLocally()
    }
    return host
  }

  private init(
    _ backend: Backend, _ server: URL, _ now: @escaping @Sendable () -> Date,
    _ creations: RateLimiter, _ sample: @escaping @Sendable () -> SampleBoard?
  ) {
    self.backend = backend
    names = backend.makeNames()
    (self.server, self.now, self.creations, self.sample) = (server, now, creations, sample)
  }

  /// Ends the work for the account, and refuses further changes of the session.
  func stop() async {
    isStopped = true
    _ = await changes.add { [self] in await end() }.result
  }

  var accountID: String? { account?.id }
  var group: GroupRecord? { group(accountStates.value.group) }
  var boards: SharedBoards? { board?.shared }

  private var board: HostedBoard? { group.map { board(of: $0.id) } }

  /// The group with an id, or the first group.
  private func group(_ id: String?) -> GroupRecord? {
    account?.groups.first { $0.id == id } ?? account?.groups.first
  }

  private func board(of group: String) -> HostedBoard {
    if let board = hostedBoards[group] { return board }
    let board = HostedBoard(backend.activities(of: group, as: account?.id ?? ""), now)
    hostedBoards[group] = board
    return board
  }

  func environment(
    for browser: String, at network: String, _ wording: BoardWording
  ) -> HarborEnvironment {
    let name = BrowserName(names, browser: browser, fallback: account?.person)
    let (board, now) = (board, now)
    let environment = HarborEnvironment(
      feed: FeedEnvironment(
        activities: NoBoard(), names: name, wording: wording, now: now,
        personal: board.map { PagePart($0.snapshot, name).board },
        beginning: { [snapshot = board?.snapshot] in
          .init(activities: snapshot?.activities, person: name.latest)
        }),
      search: NoServices(), people: NoServices(), links: NoServices(), feedback: NoServices(),
      groups: NoServices(),
      connection: HostedConnection(host: self),
      account: HostedSessions(host: self, network: network), beginning: accountStates.value)
    guard let account else { return environment }
    let id = account.id
    environment.links = HostedLinks(records: backend.links(of: id), server: server)
    environment.feedback = HostedFeedback(backend: backend, account: id)
    environment.groups = HostedGroups(host: self, backend: backend, account: id, list: account.list)
    guard let board, let group else { return environment }
    environment.feed.activities = SharedActivities(
      board: HostedActivities(records: backend.activities(of: group.id, as: id), now: now),
      snapshot: board.snapshot, admit: { [creations] in creations.allows(browser) })
    environment.search = board.search
    environment.people = HostedPeople(records: backend.people(of: group.id, as: id))
    return environment
  }

  func picture(_ key: PictureKey) async throws -> [UInt8] {
    Array(try await backend.picture(key.id, of: key.group, as: account?.id ?? ""))
  }

  func add(picture: [UInt8], to group: String) async throws -> String {
    try await backend.add(picture: Data(picture), to: group, as: account?.id ?? "")
  }

  /// Begins a session.
  ///
  /// - Parameter find: Finds the account, beside other changes of the session.
  /// - Throws: ``SignInError`` if another page has signed in with another account meanwhile.
  func signIn(_ find: @escaping @Sendable (Backend) async throws -> NamedAccount) async throws {
    let before = account
    let found = try await find(backend)
    try await inOrder { [self] in
      if let account, account !== before {
        guard account.id == found.id else { throw SignInError.otherAccount }
        return
      }
      await begin(try await backend.beginHostSession(of: found))
    }
  }

  func signInLocally() async throws {
    try await signIn { [sample] in try await $0.localAccount(sample: sample()) }
  }

  func signOut() async throws {
    try await inOrder { [self] in
      try await backend.endHostSession()
      names.forgetAll()
      await end()
    }
  }

  /// Shows the board of a group on all pages; `nil` shows the first group.
  func show(group: String?) async {
    let account = account
    try? await inOrder { [self] in
      // The account may have been signed out meanwhile.
      guard let account, account === self.account else { return }
      try await backend.show(group: group)
      account.shown = group
      try await account.readGroups()
      await publish()
    }
  }

  private func inOrder(_ change: @escaping @MainActor () async throws -> Void) async throws {
    if isStopped { throw CancellationError() }
    try await changes.add(change).value
  }

  private func begin(_ session: HostSession) async {
    await end()
    guard let id = session.account else { return }
    let account = HostedAccount(id, session, backend.groups(of: id))
    self.account = account
    // After a failure, the pages show no group, and the list of groups shows the failure.
    try? await account.readGroups()
    account.follow { [weak self] in
      Task { try? await self?.inOrder { [weak self] in await self?.groupsChanged(of: account) } }
    }
    await publish()
  }

  /// Ends the work for the account, and removes it from the pages.
  private func end() async {
    let hadAccount = account != nil
    account?.stop()
    account = nil
    for board in hostedBoards.values { board.snapshot.stop() }
    hostedBoards = [:]
    publishAccount()
    if hadAccount { restartPages() }
  }

  /// Shows another board if the account is no longer a member of the shown group.
  private func groupsChanged(of account: HostedAccount) async {
    guard account === self.account, accountStates.value.group != group?.id else { return }
    await publish()
  }

  /// Shows the account and its board on all pages.
  private func publish() async {
    let groups = Set(account?.groups.map(\.id) ?? [])
    for (id, board) in hostedBoards where !groups.contains(id) {
      board.snapshot.stop()
      hostedBoards[id] = nil
    }
    if let group = group(account?.shown) { await board(of: group.id).snapshot.firstRead() }
    if publishAccount() { restartPages() }
  }

  /// Publishes the account, and returns whether it or its group has changed.
  @discardableResult
  private func publishAccount() -> Bool {
    accountStates.set(
      AccountState(
        id: account?.id, name: account?.person?.text ?? "", group: group(account?.shown)?.id,
        hasLocalAccount: true))
  }

  /// Follows the boards again that could not be read.
  func retry() { for board in hostedBoards.values { board.shared.retry() } }
}
