public import CausewayDatabase
public import CausewayWeb
public import Foundation

/// The accounts with which browsers have signed in, in a database.
///
/// It stores the identities of browsers. An identity grants no access. Several processes can share
/// the database: an end of a session in one of them ends the pages of the others.
///
/// ```swift
/// // Both steps are needed.
/// let migrations = [BrowserAccounts.migration, BrowserAccounts.endMigration]
/// let store = try await SQLiteService(path: path, migrations: migrations)
/// let accounts = BrowserAccounts(store: store)
/// configuration.account = { try await accounts.account(of: $0) }
/// let server = WebServer(configuration: configuration)
/// let following = Task { await accounts.follow(on: server) }
/// ```
///
/// All processes that serve the pages also need the same ``cookieKey()``.
public final class BrowserAccounts: Sendable {
  private let store: any PersistenceService
  private let lifetime: TimeInterval
  private let now: @Sendable () -> Date

  /// The largest number of browsers of an account; a new one replaces the least recently used one.
  public static let limit = 100
  /// The time between two records of the use of a browser, in seconds.
  private static let useInterval: Int64 = 3_600

  /// Makes the accounts of a database whose schema contains both migrations.
  ///
  /// - Parameters:
  ///   - store: The database.
  ///   - lifetime: The time without use after which a browser is signed out.
  ///   - now: Returns the current date.
  public init(
    store: any PersistenceService, lifetime: Duration = .seconds(90 * 86_400),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.store = store
    self.lifetime = lifetime / .seconds(1)
    self.now = now
  }

  /// The step that makes the table, for SQLite and PostgreSQL.
  public static var migration: Migration {
    Migration(
      "keep the accounts of browsers",
      """
      CREATE TABLE browser_account (
        browser TEXT PRIMARY KEY NOT NULL, account TEXT NOT NULL, label TEXT NOT NULL,
        began BIGINT NOT NULL, seen BIGINT NOT NULL
      )
      """,
      "CREATE INDEX browser_account_account ON browser_account (account, seen)")
  }

  /// The step that records the browsers whose sign-in has ended, after ``migration``.
  ///
  /// Without it, a process would miss a browser that signs in and out between two reads.
  public static var endMigration: Migration {
    Migration(
      "record the ends of browsers",
      """
      CREATE TABLE browser_end (
        browser TEXT PRIMARY KEY NOT NULL, account TEXT NOT NULL, number BIGINT NOT NULL
      )
      """,
      "CREATE INDEX browser_end_number ON browser_end (number)")
  }

  /// The step that makes the table of ``cookieKey()``; only apps that call it need the step.
  public static var keyMigration: Migration {
    Migration(
      "keep the key of the cookies",
      """
      CREATE TABLE browser_key (
        id BIGINT PRIMARY KEY NOT NULL CHECK (id = 1), secret TEXT NOT NULL
      )
      """)
  }

  /// The key that signs the cookies of browsers in all processes that share the database.
  ///
  /// The first call makes it. With this key in `WebServerConfiguration.cookieKey`, a browser keeps
  /// its identity and its account when another process answers. A person who reads the key can make
  /// new identities, but not those of the browsers that are signed in: the database stores only the
  /// hashes of their cookies.
  ///
  /// The schema must contain ``keyMigration``.
  public func cookieKey() async throws -> [UInt8] {
    let new = Secret.make(Secret.system)
    return try await store.write { transaction in
      // If several processes start together, all of them use the key of the first one.
      try transaction.execute(
        "INSERT INTO browser_key (id, secret) VALUES (1, \(new)) ON CONFLICT DO NOTHING")
      let stored = try transaction.row("SELECT secret FROM browser_key", as: String.self)
      return Array((stored ?? new).utf8)
    }
  }

  /// The number of recorded ends; the oldest ones are removed.
  private static let recordedEnds = 1_000

  /// Signs browsers out, and returns their number.
  @discardableResult
  private static func end(
    where condition: SQL, in transaction: any WriteTransaction
  ) throws -> Int {
    let ended = try transaction.executeAndCount(
      """
      INSERT INTO browser_end (browser, account, number)
      SELECT browser, account, (SELECT coalesce(max(number), 0) + 1 FROM browser_end)
      FROM browser_account WHERE \(condition) ON CONFLICT DO NOTHING
      """)
    // On PostgreSQL, sign-ins that end no browser would otherwise conflict with each other.
    if ended > 0 {
      try transaction.execute(
        """
        DELETE FROM browser_end
        WHERE number <= (SELECT max(number) FROM browser_end) - \(recordedEnds)
        """)
    }
    return try transaction.executeAndCount("DELETE FROM browser_account WHERE \(condition)")
  }

  /// A date in seconds; 0 if a 64-bit number cannot hold it.
  private func seconds(_ date: Date) -> Int64 {
    Int64(exactly: date.timeIntervalSince1970.rounded()) ?? 0
  }

  private var oldest: Int64 { seconds(now().addingTimeInterval(-lifetime)) }

  /// The account of a browser; nil if it is signed out or was not used for the lifetime.
  ///
  /// It also records the use of the browser, at most once an hour.
  public func account(of browser: String) async throws -> String? {
    let oldest = oldest
    let found = try await store.read { transaction in
      try transaction.row(
        """
        SELECT account, seen FROM browser_account WHERE browser = \(browser) AND seen > \(oldest)
        """, as: Found.self)
    }
    guard let found else { return nil }
    let now = seconds(now())
    if now - Self.useInterval > found.seen {
      // If the use is not stored, the only effect is that the browser is signed out earlier.
      _ = try? await store.write { transaction in
        try transaction.execute(
          "UPDATE browser_account SET seen = \(now) WHERE browser = \(browser)")
      }
    }
    return found.account
  }

  /// Signs a browser in, for an effect of one of its pages, and gives it a new identity.
  ///
  /// All pages of the browser start again, with the account. The old identity is signed out. See
  /// `WebServer.renewBrowser(of:storing:)`.
  ///
  /// - Parameters:
  ///   - account: The account, whose passphrase was checked.
  ///   - session: The session of the page.
  ///   - server: The server of the page.
  ///   - storing: Removes more data of the old identity, in the same transaction.
  public func signIn(
    _ account: String, on session: WebSession, of server: WebServer,
    storing: @escaping @Sendable (any WriteTransaction) throws -> Void = { _ in }
  ) async throws {
    let (now, oldest) = (seconds(now()), oldest)
    let (old, label) = (session.browser, BrowserLabel.text(of: session.userAgent))
    try await server.renewBrowser(of: session) { [store] browser in
      try await store.write { transaction in
        try Self.end(
          where: """
            browser = \(old) OR account = \(account) AND (seen <= \(oldest)
              OR browser IN (SELECT browser FROM browser_account WHERE account = \(account)
                ORDER BY seen DESC LIMIT 1000000 OFFSET \(Self.limit - 1)))
            """, in: transaction)
        try transaction.execute(
          """
          INSERT INTO browser_account (browser, account, label, began, seen)
          VALUES (\(browser), \(account), \(label), \(now), \(now))
          """)
        try storing(transaction)
      }
    }
  }

  /// Signs a browser out; its pages start again without the account.
  ///
  /// - Parameters:
  ///   - browser: The identity of the browser.
  ///   - account: The account, if a person signs out another browser of the account; nil if they
  ///     sign out their own browser.
  ///   - server: The server of its pages.
  ///   - storing: Removes more data of the browser, in the same transaction.
  /// - Returns: False if the browser is not signed in to the given account. Then nothing changes.
  @discardableResult
  public func signOut(
    _ browser: String, ofAccount account: String? = nil, of server: WebServer,
    storing: @escaping @Sendable (any WriteTransaction) throws -> Void = { _ in }
  ) async throws -> Bool {
    let condition: SQL = account.map { "AND account = \($0)" } ?? ""
    let isOut = try await store.write { transaction in
      let removed = try Self.end(where: "browser = \(browser) \(condition)", in: transaction)
      let isOut = removed > 0 || account == nil
      if isOut { try storing(transaction) }
      return isOut
    }
    if isOut { server.endSessions(ofBrowser: browser) }
    return isOut
  }

  /// The browsers of an account, most recently used first, now and after each change.
  public func browsers(of account: String) -> LiveQuery<SignedInBrowser> {
    store.observe(
      """
      SELECT browser, label, began, seen FROM browser_account
      WHERE account = \(account) AND seen > \(oldest) ORDER BY seen DESC, browser
      """, as: SignedInBrowser.self)
  }

  /// Signs the browsers of an account out, in a transaction of the caller, and returns them.
  ///
  /// The caller can remove more in the transaction, such as the account. ``follow(on:)`` ends the
  /// pages of the browsers, in all processes. One browser can stay signed in, such as the one in
  /// which the person has changed the passphrase.
  public static func signOutAll(
    of account: String, except kept: String? = nil, in transaction: any WriteTransaction
  ) throws -> [String] {
    let condition: SQL = "account = \(account) AND browser <> \(kept ?? "")"
    let browsers: SQL = "SELECT browser FROM browser_account WHERE \(condition)"
    let found = try transaction.rows(browsers, as: String.self)
    try end(where: condition, in: transaction)
    return found
  }

  /// Ends the pages of browsers that another process or another transaction has signed out, until
  /// the task is cancelled.
  ///
  /// If the database fails, it begins again after a second.
  public func follow(on server: WebServer) async { await follow(on: server) {} }

  /// - Parameter began: Called after each read.
  func follow(on server: WebServer, reading began: @Sendable () -> Void) async {
    while !Task.isCancelled {
      do {
        var known: Set<Entry> = []
        let ends = store.observe("SELECT browser, account FROM browser_end", as: Entry.self)
        for try await rows in ends {
          let current = Set(rows)
          // A browser gets a new identity when it signs in again.
          for entry in current.subtracting(known) {
            server.endSessions(ofBrowser: entry.browser, account: entry.account)
          }
          known = current
          began()
        }
      } catch {}
      try? await Task.sleep(for: .seconds(1))
    }
  }

  private struct Entry: Decodable, Hashable, Sendable {
    var browser, account: String
  }

  private struct Found: Decodable, Sendable {
    var account: String
    var seen: Int64
  }
}
