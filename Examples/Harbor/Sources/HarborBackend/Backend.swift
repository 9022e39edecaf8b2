public import CausewayData
import CausewaySyncServer
public import CausewayWeb
public import Foundation
import HarborAccounts
public import HarborDomain

/// Harbor's server: accounts, groups, and the collections that devices synchronise.
///
/// Each request is one transaction. Devices repeat requests, so a change and the receipt of its key
/// are stored together. A device may send a change years after it was made. So a receipt stays
/// until its account is removed or has many newer receipts (``Quota/receipts``).
public final class Backend: Sendable {
  let store: RequestStore
  package let server: WebServer
  let now: @Sendable () -> Date
  let random: Secret.Source
  let passphrases: Passphrases
  let quotas: Quotas
  package let signUp: SignUp
  let rates: RateLimits
  let exporting = AsyncLock()
  let note: @Sendable (BackendEvent) -> Void
  let report: @Sendable (any Error) -> Void

  /// Makes a backend over a store whose schema is ``BackendMigrations``.
  ///
  /// - Parameters:
  ///   - store: The database.
  ///   - configuration: The address and the limits of the server.
  ///   - quotas: The limits of accounts and groups.
  ///   - signUp: Who may make an account.
  ///   - now: Returns the current date.
  ///   - note: Receives what the people who run the backend should know.
  public convenience init(
    store: any PersistenceService, configuration: WebServerConfiguration,
    quotas: Quotas = Quotas(), signUp: SignUp = .open,
    now: @escaping @Sendable () -> Date = { Date() },
    note: @escaping @Sendable (BackendEvent) -> Void = { _ in }
  ) {
    self.init(
      store: store, configuration: configuration, quotas: quotas, signUp: signUp, now: now,
      random: Secret.system, passphraseCost: 0, note: note)
  }

  /// Makes a backend for a simulation.
  ///
  /// - Parameters:
  ///   - random: Returns 64 random bits.
  ///   - passphraseCost: The time that a hash needs, from 1 to 11; 0 for the system's default.
  package init(
    store: any PersistenceService, configuration: WebServerConfiguration,
    quotas: Quotas = Quotas(), signUp: SignUp = .open,
    now: @escaping @Sendable () -> Date, random: @escaping @Sendable () -> UInt64,
    passphraseCost: UInt, note: @escaping @Sendable (BackendEvent) -> Void = { _ in }
  ) {
    self.store = RequestStore(store: store, report: configuration.reportError) { reason in
      note(reason.map { .databaseLost(reason: $0) } ?? .databaseBack)
    }
    (self.note, report) = (note, configuration.reportError)
    self.now = now
    self.random = random
    passphrases = Passphrases(random: random, cost: passphraseCost)
    self.quotas = quotas
    self.signUp = signUp
    rates = RateLimits(quotas, now: now)
    server = WebServer(configuration: configuration)
    serveAccounts()
    serve(ofGroups: Rules.activities)
    serve(ofGroups: Rules.people)
    serve(ofAccounts: Rules.links)
    serve(ofAccounts: Groups.collection)
    serveInvitations()
    serveMembers()
    servePictures()
    serveLinks(on: server)
    serveCalendars()
    serveFeedback()
    serveHealth(on: server)
    serveResets(on: server)
  }

  /// Begins to listen and returns the address.
  public func start() async throws -> String {
    // Receipts stay at any age: a device keeps its changes also after its session has ended, and
    // repeats them after the next sign-in.
    let now = now()
    try await store.write { transaction in
      // Requests do not remove expired tokens: on PostgreSQL, the removal would conflict with every
      // other sign-in.
      try DeviceTokens.removeExpired(at: now, in: transaction)
      try NameLooks.update(in: transaction)
      try Names.updateLooks(in: transaction)
    }
    try await removeExpiredNotices()
    return try await server.start().url
  }

  /// Removes mails about activities that have ended; called every hour, also without mail.
  package func removeExpiredNotices() async throws {
    let now = now()
    try await store.write { try AccountNotices.removeExpired(at: now, in: $0) }
  }

  /// Refuses new requests and waits for the running ones.
  public func stop(deadline: Duration) async { await server.stop(deadline: deadline) }

  /// Adds the short links to a server, which is the backend's own or that of its pages.
  package func serveLinks(on server: WebServer) {
    server.get("/l/:name") { [self] request in
      let name = (request.parameters["name"] ?? "").lowercased()
      let query: SQL = """
        SELECT body FROM record
        WHERE collection = 'links' AND id = \(name) AND body IS NOT NULL
        """
      guard let body = try await store.read({ try $0.row(query, as: String.self) }) else {
        throw Problem.notFound("There is no link of this name.")
      }
      return .redirect(
        to: try JSONDecoder().decode(LinkRecord.self, from: Data(body.utf8)).target)
    }
  }

  /// The step that makes a table for the writes of the check.
  static func healthMigration(integer: SQL) -> Migration {
    Migration(
      "try writes",
      "CREATE TABLE health_check (id \(integer) PRIMARY KEY, count \(integer) NOT NULL)")
  }

  /// Adds `/health`, which reads from the database.
  ///
  /// After a write that the disk or the file has refused, it also tries to write.
  package func serveHealth(on server: WebServer) {
    server.health { [store] in
      _ = try await store.read { try $0.row("SELECT 1 FROM account LIMIT 1", as: Int.self) }
      guard store.refusesWrites else { return }
      try await store.write { transaction in
        try transaction.execute(
          """
          INSERT INTO health_check (id, count) VALUES (1, 1)
          ON CONFLICT (id) DO UPDATE SET count = health_check.count + 1
          """)
      }
    }
  }

  private struct Feedback: Decodable, Sendable { var text: String }

  private struct Thanks: Codable, Sendable { var isReceived = true }

  private func serveFeedback() {
    server.post("/feedback", body: Feedback.self) { [self] request, feedback in
      let identity = try await identity(of: request)
      let key = request.headers["Idempotency-Key"] ?? Secret.make(random)
      try await add(feedback: feedback.text, key: key, as: identity.account)
      return Thanks()
    }
  }

  /// Stores a feedback, once for each key.
  package func add(feedback: String, key: String, as account: String) async throws {
    let text = feedback.trimmingCharacters(in: .whitespacesAndNewlines)
    guard (1...4_000).contains(text.count) else {
      throw Problem(
        .unprocessableContent, code: "bad-feedback",
        detail: "Write a text of 1 to 4,000 characters.")
    }
    try rates.count(upload: "feedback", by: account)
    let now = now()
    try await store.write { [quotas] transaction in
      guard try Receipts.add("", key: key, of: account, at: now, in: transaction)
      else { return }
      try quotas.check(
        .feedback, rows: "SELECT count(*) FROM feedback WHERE account = \(account)",
        "feedback of this account", in: transaction)
      try transaction.execute(
        """
        INSERT INTO feedback (account, text, created)
        VALUES (\(account), \(text), \(now.timeIntervalSince1970))
        """)
    }
  }
}
