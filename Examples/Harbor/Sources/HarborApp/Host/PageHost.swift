import CausewayData
import CausewayWeb
import Foundation
import HarborAccounts
import HarborBackend
import HarborDomain
import HarborFeatures

/// The pages in the process of the backend, which use the backend's functions and database.
///
/// A page needs no copy of the rows and no request. Its changes are acknowledged when the backend's
/// transaction is stored. Each browser has its own account and shows a group of its own choice. The
/// pages of a group share its board, whatever their accounts.
@MainActor final class PageHost: PageSource {
  let backend: Backend
  let names: NameRepository
  /// The address of the pages, with which short links begin.
  let address: URL
  /// Whether a browser that has not signed in uses the account of this machine.
  let hasLocalAccount: Bool
  let now: @Sendable () -> Date
  /// The new activities of each browser.
  nonisolated let creations: RateLimiter
  let browsers: BrowserAccounts
  /// The addresses for mails; `nil` without a mail server.
  var mail: AccountMail?
  /// The mails about activities.
  var notices: AccountNotices?
  private var accounts = SharedObjects<String, HostedAccount>()
  private var boards = SharedObjects<String, HostedBoard>()
  private(set) weak var server: WebServer?
  private var following: Task<Void, Never>?

  /// Makes the account of this machine if the pages use it.
  ///
  /// - Parameters:
  ///   - address: The address of the pages, with which short links begin.
  ///   - hasLocalAccount: Whether a browser that has not signed in uses the account of this machine.
  ///   - sample: Makes the activities of a new board.
  static func open(
    _ backend: Backend, at address: URL, hasLocalAccount: Bool = true,
    now: @escaping @Sendable () -> Date = { Date() },
    creationsPerMinute: Int = 1_200, sample: @escaping @Sendable () -> SampleBoard?
  ) async throws -> PageHost {
    let host = PageHost(
      backend, address, hasLocalAccount, now,
      RateLimiter(creationsPerMinute, per: .seconds(60), date: now))
    try await host.names.load()
    if hasLocalAccount { try await backend.makeLocalAccount(sample: sample()) }
    return host
  }

  private init(
    _ backend: Backend, _ address: URL, _ hasLocalAccount: Bool,
    _ now: @escaping @Sendable () -> Date, _ creations: RateLimiter
  ) {
    (self.backend, self.address, self.hasLocalAccount) = (backend, address, hasLocalAccount)
    (self.now, self.creations) = (now, creations)
    names = backend.makeNames()
    browsers = backend.makeBrowserAccounts()
  }

  func serve(on server: WebServer) {
    self.server = server
    server.get("/account/export") { [backend] request in
      guard let account = try await request.account else { throw Self.signedOut }
      return .download(
        try await backend.export(of: account), type: "application/json", named: "harbor.json")
    }
    following = Task { [browsers, weak server] in
      if let server { await browsers.follow(on: server) }
    }
  }

  /// Ends the work for the pages.
  func stop() {
    following?.cancel()
    for board in boards.all { board.snapshot.stop() }
  }

  /// The account of a browser: the one with which it has signed in, or that of this machine.
  nonisolated func account(of browser: String) async throws -> String? {
    if let account = try await browsers.account(of: browser) { return account }
    guard hasLocalAccount, try await !backend.choice(of: browser).isSignedOut else { return nil }
    return Backend.localAccount
  }

  func open(_ session: WebSession) async throws -> OpenPage {
    let page = try await page(of: session)
    return OpenPage(
      account: page.account?.id, group: page.group?.id, address: try await page.address
    ) { page.environment($0) }
  }

  /// Finds the account, the group and the board of a page, and reads them.
  func page(of session: WebSession) async throws -> HostedPage {
    let known = session.account.map { hostedAccount($0) }
    guard let account = known, try await account.prepare() else {
      return HostedPage(self, session, nil, nil, nil, nil)
    }
    // A device or another process may have changed the name.
    _ = try await names.remembered(in: account.nameKey(in: session.browser))
    var shown = try await backend.choice(of: session.browser).shown
    // A link, such as that of a calendar, can lead to an activity of another group.
    let window = BoardWindow(of: session)
    if case .activity(let id) = window.part,
      let group = try await backend.group(ofActivity: id, as: account.id, preferring: shown),
      group != shown
    {
      try await backend.choose(group, in: session.browser)
      shown = group
    }
    let group = account.groups.first { $0.id == shown } ?? account.groups.first
    let board = group.map { self.board(of: $0.id) }
    let part = try await board?.show(window)
    return HostedPage(self, session, account, group, board, part)
  }

  private func hostedAccount(_ id: String) -> HostedAccount {
    accounts.object(for: id) { HostedAccount(id, self) }
  }

  private func board(of group: String) -> HostedBoard {
    boards.object(for: group) { HostedBoard(group, in: backend, now) }
  }

  func boards(of group: String) -> SharedBoards? { boards[group]?.shared }

  /// Signs the browser of a page in, and removes what was stored for its old identity.
  ///
  /// Another person may have used the browser before.
  func signIn(_ account: NamedAccount, on page: HostedPage) async throws {
    guard let server else { throw CancellationError() }
    let old = page.session.browser
    try await browsers.signIn(account.id, on: page.session, of: server) { transaction in
      try account.checkSecret(in: transaction)
      try Backend.forget(old, isSignedOut: false, in: transaction)
    }
    names.forget(old)
  }

  /// Signs a browser out, and removes what was stored for it.
  ///
  /// - Parameter account: The account of a person who signs another browser out.
  func signOut(_ browser: String, of account: String? = nil) async throws {
    guard let server else { throw CancellationError() }
    let isOut = try await browsers.signOut(browser, ofAccount: account, of: server) {
      [hasLocalAccount] transaction in
      try Backend.forget(browser, isSignedOut: hasLocalAccount, in: transaction)
    }
    if isOut { names.forget(browser) }
  }

  /// Shows the board of a group on the pages of the browser; `nil` shows the first group.
  func show(_ group: String?, on page: HostedPage) async throws {
    try await backend.choose(group, in: page.session.browser)
    try await page.account?.readGroups()
    // If this page has ended already, its successor shows the group and must not end.
    if !page.hasRestarted { server?.endSessions(ofBrowser: page.session.browser) }
  }

  /// Follows again the boards that could not be read.
  func retry() { for board in boards.all { board.shared.retry() } }

  func activity(_ id: String, for request: Request) async throws -> Activity? {
    guard let account = try await request.account else { throw Self.signedOut }
    return try await backend.activity(id, as: account)
  }

  func picture(_ key: PictureKey, for request: Request) async throws -> [UInt8] {
    guard let account = try await request.account else { throw Self.signedOut }
    return Array(try await backend.picture(key.id, of: key.group, as: account).bytes)
  }

  func add(picture: [UInt8], to group: String, for request: Request) async throws -> String {
    guard let account = request.session?.account else { throw Self.signedOut }
    return try await backend.add(picture: Data(picture), to: group, as: account)
  }

  nonisolated private static let signedOut = Problem(
    .unauthorized, code: "signed-out", detail: "Sign in first.")
}
