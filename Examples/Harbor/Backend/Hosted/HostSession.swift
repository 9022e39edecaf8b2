import CausewayData
package import Foundation
package import HarborDomain

/// The session of the pages in the process of the backend.
package struct HostSession: Decodable, Sendable, Equatable {
  /// The account; `nil` after a sign-out.
  package var account: String?
  /// The name of the account; empty for the account of this machine.
  package var name: String
  /// The group whose board the pages show; `nil` for the first group.
  package var shown: String?

  /// The step that stores the session, and the name of each browser.
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
}

/// Signing in and out on pages in the process of the backend.
extension Backend {
  /// Makes the repository of the names of browsers.
  package func makeNames() -> NameRepository { NameRepository(store: store) }

  /// The session of the last run; `nil` at the first run.
  package func hostSession() async throws -> HostSession? {
    try await store.read { transaction in
      try transaction.row(
        """
        SELECT account, coalesce(name, '') AS name, shown FROM host_session
        LEFT JOIN account ON account.id = host_session.account
        """, as: HostSession.self)
    }
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

  /// The account of this machine, with a sample group at first use.
  package func localAccount(sample: SampleBoard?) async throws -> NamedAccount {
    let now = now()
    return try await store.write { [self] in
      try localAccount(sample: sample, at: now, in: $0)
    }
  }

  /// Stores a session.
  package func beginHostSession(of account: NamedAccount) async throws -> HostSession {
    try await store.write { transaction in
      try transaction.execute(
        """
        INSERT INTO host_session (id, account) VALUES (1, \(account.id))
        ON CONFLICT (id) DO UPDATE SET account = excluded.account, shown = NULL
        """)
    }
    return HostSession(account: account.id, name: account.name)
  }

  /// Stores which board the pages show.
  package func show(group: String?) async throws {
    try await store.write { try $0.execute("UPDATE host_session SET shown = \(group)") }
  }

  /// Ends the session, and removes the names of all browsers.
  package func endHostSession() async throws {
    try await store.write { transaction in
      try transaction.execute("UPDATE host_session SET account = NULL, shown = NULL")
      try NameRepository.removeAll(in: transaction)
    }
  }
}

/// The other functions of the backend for an account on a page.
extension Backend {
  package func invite(to group: String, as account: String) async throws -> String {
    try await invite(to: group, as: Identity(account: account))
  }

  package func accept(_ code: String, as account: String) async throws -> GroupRecord {
    try await accept(code, as: Identity(account: account))
  }

  package func add(feedback: String, key: String, as account: String) async throws {
    try await add(feedback: feedback, key: key, as: Identity(account: account))
  }

  package func add(picture: Data, to group: String, as account: String) async throws -> String {
    try await add(picture: picture, to: group, as: Identity(account: account))
  }

  package func picture(_ id: String, of group: String, as account: String) async throws -> Data {
    try await picture(id, of: group, as: Identity(account: account)).bytes
  }
}
