import CausewayData
import CausewaySQLite
import CausewaySyncServer
import CausewayWeb
import CausewayWebTesting
import Foundation
import HarborAccounts
import HarborDomain
import Testing

@testable import HarborApp
@testable import HarborBackend
@testable import HarborFeatures

/// A backend without a socket, the host of its pages, and their server.
@MainActor struct HostedPages {
  static let ana = PersonName(stored: "Ana")
  let store: any PersistenceService
  let backend: Backend
  let host: PageHost
  let server: WebServer
  /// The pages of the test, which keep their boards alive.
  private let opened = Opened()

  private final class Opened { var pages: [HostedPage] = [] }

  /// Runs a body and stops the host afterwards.
  ///
  /// - Parameters:
  ///   - store: The database of an earlier host.
  ///   - now: The time, by which allowances grow back.
  static func with(
    _ store: (any PersistenceService)? = nil, quotas: Quotas = Quotas(),
    signUp: SignUp = .open, hasLocalAccount: Bool = true, creationsPerMinute: Int = 1_200,
    now: @escaping @Sendable () -> Date = { Date() },
    _ body: @MainActor (HostedPages) async throws -> Void
  ) async throws {
    let store = try store ?? InMemoryPersistenceService(migrations: BackendMigrations.all)
    let backend = Backend(
      store: store, configuration: .init(port: 0), quotas: quotas, signUp: signUp, now: now,
      random: Secret.system, passphraseCost: 1)
    let host = try await PageHost.open(
      backend, at: #require(URL(string: "http://127.0.0.1:8081")),
      hasLocalAccount: hasLocalAccount, now: now, creationsPerMinute: creationsPerMinute,
      sample: { nil })
    var configuration = WebServerConfiguration(port: 0)
    // After a restart, the server accepts the cookies of an earlier one.
    configuration.cookieKey = Array(0..<32)
    // Effects stay below this limit even with a sanitizer on a busy machine.
    configuration.limits.effectTime = .seconds(300)
    configuration.account = { try await host.account(of: $0) }
    let server = WebServer(configuration: configuration)
    try HarborPages(host).serve(on: server)
    defer { host.stop() }
    try await body(HostedPages(store: store, backend: backend, host: host, server: server))
  }

  /// A page of a browser.
  func open(_ browser: String = "a", at network: String = "127.0.0.1") async throws -> HostedPage {
    let request = Request(.get, "/", remoteAddress: network)
    let session = WebSession(testing: request, browser: browser, cookie: browser)
    session.account = try await host.account(of: browser)
    let page = try await host.page(of: session)
    opened.pages.append(page)
    return page
  }

  /// The services of a page.
  func page(
    _ browser: String = "a", at network: String = "127.0.0.1"
  ) async throws -> HarborEnvironment {
    try await open(browser, at: network).environment(BoardWording(timeZone: .gmt))
  }

  /// The board of a page.
  func board(_ browser: String = "a") async throws -> any ActivityRepositoryProtocol {
    try await page(browser).feed.activities
  }

  /// The page of a new browser that has signed in with a new account.
  func signUp(
    _ name: String, path: String = "/", invitation: String? = nil
  ) async throws -> PageTestClient {
    let page = try await PageTestClient(server, path: path)
    return try await signIn(page, as: name, "signUp", invitation: invitation)
  }

  /// The page after a sign-in, which gives its browser new cookies.
  func signIn(
    _ page: PageTestClient, as name: String, _ action: String = "signIn",
    invitation: String? = nil
  ) async throws -> PageTestClient {
    var form = ["name": name, "passphrase": "correct horse battery"]
    form["invitation"] = invitation
    try await page.send([action: form])
    return try await page.renewed()
  }

  /// The page after a sign-out.
  func signOut(_ page: PageTestClient) async throws -> PageTestClient {
    try await page.send(["signOut": [String: String]()])
    return try await page.renewed()
  }

  /// The account page of a person who has founded a new group, and the id of the group.
  func found(
    _ name: String, as person: String
  ) async throws -> (page: PageTestClient, group: String) {
    let page = try await signUp(person, path: "/account")
    try await page.send(["foundGroup": ["name": name]])
    let founded = try await page.renewed()
    return (founded, try await founded.value("groups.rows.0.id"))
  }

  func details(_ title: String, hours: Double = 24) -> ActivityDetails {
    ActivityDetails(
      title: title, place: nil, notes: nil, start: Date(timeIntervalSinceNow: hours * 3_600))
  }

  /// The id of an account.
  func account(_ name: String) async throws -> String {
    let query: SQL = "SELECT id FROM account WHERE name = \(name)"
    return try await store.read { try $0.row(query, as: String.self) } ?? ""
  }

  /// The number of records of a collection.
  func count(_ collection: String) async throws -> Int? {
    try await store.read { transaction in
      try transaction.row(
        "SELECT count(*) FROM record WHERE collection = \(collection) AND body IS NOT NULL",
        as: Int.self)
    }
  }
}

extension AsyncThrowingStream {
  /// The first element that meets a condition.
  func element(where isFound: (Element) -> Bool) async throws -> Element {
    for try await element in self where isFound(element) { return element }
    throw CancellationError()
  }
}
