import Causeway
import CausewayData
import CausewaySQLite
import CausewayWeb
import CausewayWebTesting
import Foundation
import Synchronization
import Testing

@testable import HarborAccounts

/// A server whose pages sign in without a passphrase.
@MainActor @Suite(.timeLimit(.minutes(10))) struct `The accounts of browsers` {
  /// A date that a test sets.
  private final class TestDate: Sendable {
    private let seconds = Mutex(1_800_000_000.0)
    var date: Date { Date(timeIntervalSince1970: seconds.withLock { $0 }) }
    func advance(by interval: TimeInterval) { seconds.withLock { $0 += interval } }
  }

  private struct Fixture {
    let store: InMemoryPersistenceService
    let accounts: BrowserAccounts
    let server: WebServer
    let date = TestDate()

    /// - Parameter time: The time of the server, if it stands still.
    @MainActor init(
      _ store: InMemoryPersistenceService? = nil, at time: ContinuousClock.Instant? = nil
    ) throws {
      self.store =
        try store
        ?? InMemoryPersistenceService(migrations: [
          BrowserAccounts.migration, BrowserAccounts.endMigration,
        ])
      let accounts = BrowserAccounts(store: self.store, now: { [date] in date.date })
      self.accounts = accounts
      var configuration = WebServerConfiguration(port: 0)
      configuration.cookieKey = Array(0..<32)
      if let time { configuration.now = { time } }
      configuration.account = { try await accounts.account(of: $0) }
      let server = WebServer(configuration: configuration)
      self.server = server
      server.page(
        "/", try PageTemplate("<!doctype html><html><head><!-- causeway --></head></html>")
      ) { [weak server] session in
        // A server owns its pages, so a page must not own its server.
        ViewModel(Door(session: session, accounts: accounts) { [weak server] in server })
      }
    }

    /// The page of a browser that has signed in.
    func signIn(
      _ account: String, in page: PageTestClient? = nil
    ) async throws -> PageTestClient {
      let page =
        if let page { page } else { try await PageTestClient(server) }
      try await page.send(["enter": ["_0": account]])
      return try await page.renewed()
    }
  }

  @Test func `are stored, and other browsers have their own`() async throws {
    let first = try Fixture()
    let (zoe, ben) = (try await first.signIn("zoe"), try await first.signIn("ben"))
    #expect(try await zoe.value("account") == "zoe")
    #expect(try await ben.value("account") == "ben")
    let second = try Fixture(first.store)
    let again = try await PageTestClient(second.server, cookies: zoe.cookies)
    #expect(try await again.value("account") == "zoe")
  }

  @Test func `have one key for their cookies, also if several processes make it`() async throws {
    let store = try InMemoryPersistenceService(migrations: [BrowserAccounts.keyMigration])
    let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 1...8 {
        group.addTask { try await BrowserAccounts(store: store).cookieKey() }
      }
      var keys: Set<[UInt8]> = []
      for try await key in group { keys.insert(key) }
      return keys
    }
    #expect(keys.count == 1)
    #expect(keys.first?.count == Secret.length)
    let other = try InMemoryPersistenceService(migrations: [BrowserAccounts.keyMigration])
    #expect(try await BrowserAccounts(store: other).cookieKey() != keys.first)
  }

  @Test func `end after a time without use, and each use restarts that time`() async throws {
    let fixture = try Fixture()
    let zoe = try await fixture.signIn("zoe")
    for _ in 1...3 {
      fixture.date.advance(by: 89 * 86_400)
      let page = try await PageTestClient(fixture.server, cookies: zoe.cookies)
      #expect(try await page.value("account") == "zoe")
    }
    fixture.date.advance(by: 91 * 86_400)
    let page = try await PageTestClient(fixture.server, cookies: zoe.cookies)
    #expect(try await page.value("account") == "")
  }

  @Test func `are listed, and one can be ended from another browser`() async throws {
    let fixture = try Fixture()
    let (phone, desk) = (try await fixture.signIn("zoe"), try await fixture.signIn("zoe"))
    var lists = fixture.accounts.browsers(of: "zoe").makeAsyncIterator()
    let browsers = try #require(try await lists.next())
    #expect(browsers.count == 2 && browsers.allSatisfy { $0.label == "Browser" })
    let own: String = try await phone.value("browser")
    // Another account cannot end it.
    try await fixture.accounts.signOut(own, ofAccount: "ben", of: fixture.server)
    #expect(try await fixture.accounts.account(of: own) == "zoe")
    try await fixture.accounts.signOut(own, ofAccount: "zoe", of: fixture.server)
    #expect(try await phone.renewed().value("account") == "")
    #expect(try await lists.next()?.count == 1)
    try await desk.send(["look": [String: String]()])
  }

  @Test func `end their pages in this process when another process ends them`() async throws {
    let (first, second) = (try Fixture(), try Fixture())
    let shared = try Fixture(first.store)
    let zoe = try await first.signIn("zoe")
    let own: String = try await zoe.value("browser")
    let (reads, read) = AsyncStream.makeStream(of: Void.self)
    let following = Task { await first.accounts.follow(on: first.server) { read.yield() } }
    defer { following.cancel() }
    for await _ in reads { break }
    try await shared.accounts.signOut(own, of: second.server)
    #expect(try await zoe.renewed().value("account") == "")
  }

  @Test func `that sign in and out between two reads of another process end their pages`()
    async throws
  {
    let (first, second) = (try Fixture(), try Fixture())
    let shared = try Fixture(first.store)
    let zoe = try await first.signIn("zoe")
    let own: String = try await zoe.value("browser")
    try await shared.accounts.signOut(own, of: second.server)
    let following = Task { await first.accounts.follow(on: first.server) }
    defer { following.cancel() }
    #expect(try await zoe.renewed().value("account") == "")
  }

  @Test func `are at most a hundred, and the least recently used is removed first`() async throws {
    let fixture = try Fixture()
    let first = try await fixture.signIn("zoe")
    for _ in 1..<BrowserAccounts.limit {
      fixture.date.advance(by: 10)
      _ = try await fixture.signIn("zoe")
    }
    let own: String = try await first.value("browser")
    #expect(try await fixture.accounts.account(of: own) == "zoe")
    _ = try await fixture.signIn("zoe")
    #expect(try await fixture.accounts.account(of: own) == nil)
  }

  @Test func `change once if two tabs sign in at the same time`() async throws {
    // Ten seconds later, the other tab may begin without an account.
    let fixture = try Fixture(at: .now)
    let tab = try await PageTestClient(fixture.server)
    let other = try await PageTestClient(fixture.server, cookies: tab.cookies)
    try await tab.send(["enter": ["_0": "zoe"]])
    _ = try? await other.send(["enter": ["_0": "ben"]])
    let pages = [try? await tab.renewed(), try? await other.renewed()]
    #expect(pages.compactMap(\.self).count == 1)
    let count = try await fixture.store.read {
      try $0.row("SELECT count(*) FROM browser_account", as: Int.self)
    }
    #expect(count == 1)
  }

  @Test(arguments: [
    ("Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "Firefox on Linux"),
    (
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1",
      "Safari on iPhone"
    ),
    ("Mozilla/5.0 (Windows NT 10.0) Chrome/126.0 Safari/537.36 Edg/126.0", "Edge on Windows"),
    ("<script>", "Browser"),
  ])
  func `are named only by known browsers and systems`(userAgent: String, label: String) {
    #expect(BrowserLabel.text(of: userAgent) == label)
  }
}

/// A page that shows its account.
private struct Door: Interactor {
  struct State: Sendable, Encodable, Equatable {
    var account: String
    var browser: String
    var problem = ""
  }
  enum Action: Sendable, Decodable {
    case enter(String)
    case look
  }

  let session: WebSession
  let accounts: BrowserAccounts
  let server: @Sendable () -> WebServer?

  var body: some InteractorOf<Self> {
    Interact(
      initialValue: State(account: session.account ?? "", browser: session.browser)
    ) { [session, accounts, server] state, action in
      guard case .enter(let account) = action, let server = server() else { return .state }
      return .perform { _ in
        try await accounts.signIn(account, on: session, of: server)
      } catch: { state, error in
        state.problem = "\(error)"
      }
    }
  }
}
