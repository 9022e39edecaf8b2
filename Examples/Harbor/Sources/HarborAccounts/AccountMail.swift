public import CausewayDatabase
public import CausewayWeb
public import Foundation

/// The mail addresses of accounts, and links for new passphrases by mail.
///
/// An address is used only after its owner has opened a link in a mail to it. A person who has
/// forgotten the passphrase asks for a link on the page `/reset`, which needs no script. Its answer
/// is the same whether the account exists or not.
///
/// ```swift
/// let mail = AccountMail(
///   store: store, title: "Board", address: URL(string: "https://board.example")!,
///   account: { try $1.row("SELECT id FROM account WHERE name = \($0)", as: String.self) },
///   report: { log.error($0) },
///   send: { try queue.add(MailMessage(to: MailAddress($0), subject: $1, text: $2)) })
/// mail.serve(on: server)
/// ```
public struct AccountMail: Sendable {
  private let store: any PersistenceService
  private let title: String
  private let address: URL
  private let now: @Sendable () -> Date
  private let account: @Sendable (String, any ReadTransaction) throws -> String?
  private let report: @Sendable (any Error) -> Void
  private let send: @Sendable (_ address: String, _ subject: String, _ text: String) throws -> Void
  /// Limits the mails of an account and the mails to an address.
  private let limits: RateLimiter
  private let networks: RateLimiter
  /// Limits the links that a network opens.
  private let links: RateLimiter
  private let wideNetworks: RateLimiter

  /// How long a link works, in seconds.
  private static let validity: TimeInterval = 3_600

  /// Describes the addresses of a database whose schema contains ``migration(real:options:)`` and
  /// the migration of ``PassphraseResets``.
  ///
  /// - Parameters:
  ///   - store: The database.
  ///   - title: The name of the app, in mails and on pages.
  ///   - address: The address of the pages. Links begin with it.
  ///   - now: Returns the current date.
  ///   - account: Returns the id of an account by the name that a person types; nil if there is none.
  ///   - report: Receives the errors of work that no request waits for. Called on any thread.
  ///   - send: Sends a mail later, or throws an error with a sentence for people.
  public init(
    store: any PersistenceService, title: String, address: URL,
    now: @escaping @Sendable () -> Date = { Date() },
    account: @escaping @Sendable (_ name: String, any ReadTransaction) throws -> String?,
    report: @escaping @Sendable (any Error) -> Void,
    send:
      @escaping @Sendable (_ address: String, _ subject: String, _ text: String) throws -> Void
  ) {
    (self.store, self.title, self.address, self.now) = (store, title, address, now)
    (self.account, self.report, self.send) = (account, report, send)
    func limit(_ count: Int) -> RateLimiter {
      RateLimiter(
        count, per: .seconds(3_600), code: "too-many-mails",
        detail: "There were too many mails in the last hour.", date: now)
    }
    (limits, networks, wideNetworks) = (limit(5), limit(20), limit(60))
    links = RateLimiter(
      60, per: .seconds(3_600), code: "too-many-links",
      detail: "There were too many links in the last hour.", date: now)
  }

  /// The step that makes the table, after the step of ``PassphraseResets``.
  ///
  /// It also lets an account have several codes for a new passphrase. Otherwise a stranger who asks
  /// for a mail would end the link that the people who run the server have made.
  ///
  /// - Parameters:
  ///   - real: The database's type of floating-point numbers.
  ///   - options: The end of a table's definition, such as ` STRICT`.
  public static func migration(real: SQL = "DOUBLE PRECISION", options: SQL = "") -> Migration {
    Migration(
      "keep mail addresses",
      """
      CREATE TABLE account_mail (
        account TEXT PRIMARY KEY NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        address TEXT,
        wanted TEXT,
        hash TEXT UNIQUE,
        expiry \(real)
      )\(options)
      """,
      "ALTER TABLE passphrase_reset RENAME TO single_passphrase_reset",
      """
      CREATE TABLE passphrase_reset (
        account TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        hash TEXT PRIMARY KEY NOT NULL,
        expiry \(real) NOT NULL
      )\(options)
      """,
      """
      INSERT INTO passphrase_reset (account, hash, expiry)
      SELECT account, hash, expiry FROM single_passphrase_reset
      """,
      "DROP TABLE single_passphrase_reset",
      "CREATE INDEX passphrase_reset_account ON passphrase_reset (account)")
  }

  /// Sends a link to an address that the account wants to use; nil ends all mails.
  ///
  /// The account keeps its earlier address until the link is opened. That address then gets a notice.
  ///
  /// - Parameters:
  ///   - wanted: The address.
  ///   - account: The account whose mails go there.
  ///   - network: As `WebSession.remoteNetwork` or `Request.remoteNetwork`.
  ///   - check: Called in the transaction that stores the address. It throws if the address must
  ///     not be stored, for example because the checked passphrase has been replaced since. Not
  ///     called if the address is nil.
  /// - Throws: A `Problem`, the error of the check, or the error of the closure that sends.
  public func set(
    _ wanted: String?, of account: String, from network: String,
    check: @escaping @Sendable (any ReadTransaction) throws -> Void = { _ in }
  ) async throws {
    guard let wanted else {
      let until = now().addingTimeInterval(Self.validity)
      let old = try await store.write { transaction in
        let old = try Self.address(of: account, in: transaction)
        try PassphraseResets.removeCodes(of: account, until: until, in: transaction)
        try transaction.execute(
          """
          DELETE FROM account_mail
          WHERE account = \(account) AND (address IS NOT NULL OR hash IS NOT NULL)
          """)
        return old
      }
      return notify(old)
    }
    try count(network)
    // Otherwise many accounts could send mails to the same stranger.
    try limits.count("account \(account)", "set \(wanted.lowercased())")
    let code = Secret.make(Secret.system)
    let now = now()
    let expiry = now.addingTimeInterval(Self.validity).timeIntervalSince1970
    try await store.write { transaction in
      try check(transaction)
      let held = try transaction.row(
        """
        SELECT account FROM account_mail
        WHERE account = \(account) AND hash IS NULL AND expiry > \(now.timeIntervalSince1970)
        """, as: String.self)
      if held != nil {
        throw Problem.badRequest(
          "The people who run the server have made a link for a new passphrase. Use it first.")
      }
      try transaction.execute(
        """
        INSERT INTO account_mail (account, wanted, hash, expiry)
        VALUES (\(account), \(wanted), \(Secret.hash(code)), \(expiry))
        ON CONFLICT (account) DO UPDATE
        SET wanted = excluded.wanted, hash = excluded.hash, expiry = excluded.expiry
        """)
    }
    try send(
      wanted, "\(title): confirm your address",
      """
      Open this link within an hour to get mails of \(title) at this address:

      \(link("mail/\(code)"))

      If you did not ask for it, ignore this mail.
      """)
  }

  /// The confirmed address of an account; nil if there is none.
  public static func address(
    of account: String, in transaction: any ReadTransaction
  ) throws -> String? {
    try transaction.row(
      """
      SELECT address FROM account_mail WHERE account = \(account) AND address IS NOT NULL
      """, as: String.self)
  }

  /// Removes the address of an account, and refuses new addresses until a date.
  ///
  /// ``release(_:in:)`` ends the hold earlier.
  ///
  /// Call it when the people who run the server make a link for a new passphrase. The hold must
  /// last until the link expires. The removed address may belong to a person who has taken over the
  /// account.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - expiry: The end of the hold.
  ///   - transaction: The transaction in which the address is removed.
  public static func hold(
    _ account: String, until expiry: Date, in transaction: any WriteTransaction
  ) throws {
    try transaction.execute(
      """
      INSERT INTO account_mail (account, expiry)
      VALUES (\(account), \(expiry.timeIntervalSince1970))
      ON CONFLICT (account) DO UPDATE
      SET address = NULL, wanted = NULL, hash = NULL, expiry = excluded.expiry
      """)
  }

  /// Ends a hold, when a link for a new passphrase was used.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - transaction: The transaction in which the passphrase is set.
  public static func release(_ account: String, in transaction: any WriteTransaction) throws {
    try transaction.execute(
      "DELETE FROM account_mail WHERE account = \(account) AND address IS NULL AND hash IS NULL")
  }

  /// Ends the links with which an account confirms an address.
  ///
  /// Call it when the passphrase changes, because another person may have asked for the links.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - transaction: The transaction in which the passphrase is set.
  public static func endConfirmations(
    of account: String, in transaction: any WriteTransaction
  ) throws {
    try transaction.execute(
      """
      UPDATE account_mail SET wanted = NULL, hash = NULL, expiry = NULL
      WHERE account = \(account) AND hash IS NOT NULL
      """)
  }

  /// Adds the pages to a server.
  public func serve(on server: WebServer) {
    // Programs open the links in a mail to check them. Such a request must not confirm an address.
    server.get("/mail/:code") { _ in
      page("<form method=\"post\"><p>Get mails at this address?</p><button>Yes</button></form>")
    }
    server.post("/mail/:code", bodyLimit: 4_096) { request in
      // Each try needs a hash and a transaction.
      try links.count(request.remoteNetwork)
      guard let change = try await confirm(request.parameters["code"] ?? "") else {
        throw Problem.notFound("This link was used or has expired. Enter the address again.")
      }
      if change.address?.lowercased() != change.wanted.lowercased() { notify(change.address) }
      return page("<p>The address is confirmed. <a href=\"/\">Go on</a></p>")
    }
    server.get("/reset") { _ in
      page(
        """
        <form method="post"><p>A link for a new passphrase is sent to the address of the account.</p>
        <label>Name <input name="name" autocomplete="username" required autofocus></label>
        <button>Send it</button></form>
        """)
    }
    server.post("/reset", bodyLimit: 4_096) { request in
      try count(request.remoteNetwork)
      let name = request.form("name") ?? ""
      // Neither the answer nor its duration reveals whether there is such an account.
      Task { await sendReset(to: name) }
      return page("<p>If the account has an address, a link is on its way to it.</p>")
    }
  }

  private struct Change: Decodable, Sendable {
    var account: String
    var address: String?
    var wanted: String
  }

  private func confirm(_ code: String) async throws -> Change? {
    // The system's hash function refuses long texts.
    guard code.utf8.count == Secret.length else { return nil }
    let now = now()
    return try await store.write { transaction in
      let change = try transaction.row(
        """
        SELECT account, address, wanted FROM account_mail
        WHERE hash = \(Secret.hash(code)) AND expiry > \(now.timeIntervalSince1970)
          AND wanted IS NOT NULL
        """, as: Change.self)
      guard let change else { return nil }
      // Removes the codes for a new passphrase that were sent to the earlier address.
      try PassphraseResets.removeCodes(
        of: change.account, until: now.addingTimeInterval(Self.validity), in: transaction)
      try transaction.execute(
        """
        UPDATE account_mail SET address = wanted, wanted = NULL, hash = NULL, expiry = NULL
        WHERE account = \(change.account)
        """)
      return change
    }
  }

  /// Tells the owner of an address that the account does not use it any more.
  private func notify(_ old: String?) {
    guard let old else { return }
    do {
      try send(
        old, "\(title): your address was changed",
        """
        Your account does not get mails of \(title) at this address any more.

        If you did not ask for it, sign in and change your passphrase: \(address.absoluteString)
        """)
    } catch {
      report(error)
    }
  }

  private func count(_ network: String) throws(Problem) {
    if let wide = SignInLimits.wide(network) { try wideNetworks.count(wide) }
    try networks.count(network)
  }

  func sendReset(to name: String) async {
    let now = now()
    do {
      let found = try await store.write { [account] transaction -> (String, String)? in
        guard let id = try account(name, transaction),
          let address = try Self.address(of: id, in: transaction),
          limits.allows("reset \(address.lowercased())")
        else { return nil }
        return (
          address,
          try PassphraseResets.addCode(
            for: id, at: now, until: now.addingTimeInterval(Self.validity), in: transaction)
        )
      }
      guard let (address, code) = found else { return }
      try send(
        address, "\(title): a new passphrase",
        """
        Set a new passphrase with this link, once and within an hour:

        \(link("reset/\(code)"))

        If you did not ask for it, ignore this mail: your passphrase stays.
        """)
    } catch {
      report(error)
    }
  }

  private func link(_ path: String) -> String { address.appending(path: path).absoluteString }

  private func page(_ content: String) -> Response { .plainPage(title: title, content) }
}
