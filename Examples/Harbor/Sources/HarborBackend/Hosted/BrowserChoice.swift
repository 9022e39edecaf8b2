package import CausewayData
import CausewaySyncServer
package import HarborAccounts
package import HarborDomain

/// What a browser has chosen on the pages in the process of the backend.
package struct BrowserChoice: Decodable, Sendable, Equatable {
  /// The group whose board the pages show; `nil` for the first group.
  package var shown: String?
  /// Whether a person has signed out of the account of this machine.
  private var left: Int64 = 0

  /// The choice of a browser that has not chosen.
  init() {}

  package var isSignedOut: Bool { left != 0 }

  /// The step that stores the choices, and the name of each browser.
  static func migration(integer: SQL, options: SQL) -> Migration {
    Migration(
      "keep the session of the pages",
      """
      CREATE TABLE host_session (
        id \(integer) PRIMARY KEY CHECK (id = 1),
        account TEXT REFERENCES account (id) ON DELETE SET NULL,
        shown TEXT
      )\(options)
      """,
      "CREATE TABLE browser (browser TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL)\(options)")
  }

  /// The step after which each browser has its own account and group.
  static func ownMigration(integer: SQL, options: SQL) -> Migration {
    Migration(
      "keep the group of each browser", "DROP TABLE host_session",
      """
      CREATE TABLE browser_choice (
        browser TEXT PRIMARY KEY NOT NULL, shown TEXT, "left" \(integer) NOT NULL
      )\(options)
      """)
  }
}

/// The browsers of the pages in the process of the backend.
extension Backend {
  /// Makes the repository of the names of browsers.
  package func makeNames() -> NameRepository { NameRepository(store: store) }

  /// Makes the accounts of browsers.
  package func makeBrowserAccounts() -> BrowserAccounts { BrowserAccounts(store: store, now: now) }

  /// The account with an id; `nil` if it was removed.
  package func account(_ id: String) async throws -> NamedAccount? {
    try await store.read {
      try $0.row("SELECT id, name FROM account WHERE id = \(id)", as: NamedAccount.self)
    }
  }

  /// The name of an account, now and after each change.
  package func name(of account: String) -> LiveQuery<String> {
    store.observe("SELECT name FROM account WHERE id = \(account)", as: String.self)
  }

  /// The confirmed mail address of an account with each kind of mails that it gets, now and after
  /// each change.
  package func mails(of account: String) -> LiveQuery<NoticeChoice> {
    AccountNotices.choices(of: account, in: store)
  }

  /// The account with this name and passphrase.
  ///
  /// - Parameter network: The network of the page's browser, for the limits of attempts.
  /// - Throws: A `Problem`, whose sentence does not contain the passphrase.
  package func account(
    of credentials: Credentials, from network: String
  ) async throws -> NamedAccount {
    try await signIn(credentials, from: network) { account, _ in account }
  }

  /// Makes an account.
  ///
  /// - Parameter network: The network of the page's browser, for the limits of attempts.
  /// - Throws: A `Problem`, whose sentence does not contain the passphrase.
  package func makeAccount(
    _ credentials: Credentials, from network: String
  ) async throws -> NamedAccount {
    try await signUp(credentials, from: network) { account, _ in account }
  }

  /// Makes the account of this machine, with a sample group at first use.
  package func makeLocalAccount(sample: SampleBoard?) async throws {
    let now = now()
    try await store.write { [random] transaction in
      guard try Self.makeLocalAccount(at: now, in: transaction) else { return }
      try Groups.foundSample(sample, by: Self.localAccount, at: now, random, in: transaction)
    }
  }

  /// What a browser has chosen.
  package func choice(of browser: String) async throws -> BrowserChoice {
    try await store.read { transaction in
      try transaction.row(
        "SELECT shown, \"left\" FROM browser_choice WHERE browser = \(browser)",
        as: BrowserChoice.self)
    } ?? BrowserChoice()
  }

  /// Stores which board the pages of a browser show.
  package func choose(_ group: String?, in browser: String) async throws {
    try await store.write { transaction in
      try transaction.execute(
        """
        INSERT INTO browser_choice (browser, shown, "left") VALUES (\(browser), \(group), 0)
        ON CONFLICT (browser) DO UPDATE SET shown = excluded.shown
        """)
    }
  }

  /// Removes what is stored for a browser.
  ///
  /// - Parameter isSignedOut: Whether to store that the browser does not use the account of this
  ///   machine.
  package static func forget(
    _ browser: String, isSignedOut: Bool, in transaction: any WriteTransaction
  ) throws {
    try transaction.execute("DELETE FROM browser_choice WHERE browser = \(browser)")
    try NameRepository.remove(browser, in: transaction)
    guard isSignedOut else { return }
    try transaction.execute(
      "INSERT INTO browser_choice (browser, shown, \"left\") VALUES (\(browser), NULL, 1)")
  }
}
