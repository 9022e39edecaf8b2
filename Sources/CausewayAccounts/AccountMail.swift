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
///   send: { try queue.add(MailMessage(to: MailAddress($0), subject: $1, text: $2)) })
/// mail.serve(on: server)
/// ```
public struct AccountMail: Sendable {
  private let store: any PersistenceService
  private let title: String
  private let address: URL
  private let now: @Sendable () -> Date
  private let account: @Sendable (String, any ReadTransaction) throws -> String?
  private let send: @Sendable (_ address: String, _ subject: String, _ text: String) throws -> Void
  private let limits: RateLimiter
  private let resetLimits: RateLimiter

  private static let topic = "mail"
  private static let validity: TimeInterval = 3_600

  /// Describes the addresses of a database whose schema contains ``migration(options:)`` and that of
  /// ``SecretLinks`` and ``PassphraseResets``.
  ///
  /// - Parameters:
  ///   - store: The database.
  ///   - title: The name of the app, in mails and on pages.
  ///   - address: The address of the pages, with which links begin.
  ///   - now: Returns the current date.
  ///   - account: Returns the id of an account by the name that a person types; nil if there is none.
  ///   - send: Sends a mail later, or throws an error with a sentence for people.
  public init(
    store: any PersistenceService, title: String, address: URL,
    now: @escaping @Sendable () -> Date = { Date() },
    account: @escaping @Sendable (_ name: String, any ReadTransaction) throws -> String?,
    send:
      @escaping @Sendable (_ address: String, _ subject: String, _ text: String) throws -> Void
  ) {
    (self.store, self.title, self.address, self.now) = (store, title, address, now)
    (self.account, self.send) = (account, send)
    func limit(_ count: Int) -> RateLimiter {
      RateLimiter(
        count, per: .seconds(3_600), code: "too-many-mails",
        detail: "There were too many mails in the last hour.", date: now)
    }
    (limits, resetLimits) = (limit(5), limit(20))
  }

  /// The step that makes the table, after the table `account` with its key `id`.
  ///
  /// - Parameter options: The end of a table's definition, such as ` STRICT`.
  public static func migration(options: SQL = "") -> Migration {
    Migration(
      "keep mail addresses",
      """
      CREATE TABLE account_mail (
        account TEXT PRIMARY KEY NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        address TEXT,
        wanted TEXT
      )\(options)
      """)
  }

  /// Sends a link to an address that the account wants to use; an empty one ends all mails.
  ///
  /// The account keeps its earlier address until the link is opened.
  ///
  /// - Throws: A `Problem`, or the error of the closure that sends.
  public func set(_ wanted: String, of account: String) async throws {
    if wanted.isEmpty {
      return try await store.write {
        try $0.execute("DELETE FROM account_mail WHERE account = \(account)")
      }
    }
    try limits.count(account)
    let code = try await store.write { transaction in
      try transaction.execute(
        """
        INSERT INTO account_mail (account, wanted) VALUES (\(account), \(wanted))
        ON CONFLICT (account) DO UPDATE SET wanted = excluded.wanted
        """)
      return try SecretLinks.make(for: Self.topic, of: account, in: transaction)
    }
    try send(
      wanted, "\(title): confirm your address",
      """
      Open this link to get mails of \(title) at this address:

      \(link("mail/\(code)"))

      If you did not ask for it, ignore this mail.
      """)
  }

  /// The address of an account that its owner has confirmed; nil for none.
  public static func address(
    of account: String, in transaction: any ReadTransaction
  ) throws -> String? {
    try transaction.row(
      """
      SELECT address FROM account_mail WHERE account = \(account) AND address IS NOT NULL
      """, as: String.self)
  }

  /// Adds the pages to a server.
  public func serve(on server: WebServer) {
    // A program that looks at the links of a mail must not confirm an address.
    server.get("/mail/:code") { _ in
      page("<form method=\"post\"><p>Get mails at this address?</p><button>Yes</button></form>")
    }
    server.post("/mail/:code", bodyLimit: 4_096) { request in
      let code = request.parameters["code"] ?? ""
      let isKnown = try await store.write { transaction -> Bool in
        guard let owner = try SecretLinks.owner(of: code, in: transaction),
          owner.topic == Self.topic
        else { return false }
        try transaction.execute(
          """
          UPDATE account_mail SET address = wanted, wanted = NULL
          WHERE account = \(owner.account) AND wanted IS NOT NULL
          """)
        try transaction.execute(
          "DELETE FROM secret_link WHERE account = \(owner.account) AND topic = \(Self.topic)")
        return true
      }
      guard isKnown else {
        throw Problem.notFound("This link was used or replaced. Enter the address again.")
      }
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
      try resetLimits.count(request.remoteNetwork)
      try await sendReset(to: request.form("name") ?? "")
      return page("<p>If the account has an address, a link is on its way to it.</p>")
    }
  }

  private func sendReset(to name: String) async throws {
    let expiry = now().addingTimeInterval(Self.validity)
    let found = try await store.write { [account] transaction -> (String, String)? in
      guard let id = try account(name, transaction), limits.allows("reset \(id)"),
        let address = try Self.address(of: id, in: transaction)
      else { return nil }
      return (
        address, try PassphraseResets.makeCode(for: id, until: expiry, in: transaction)
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
  }

  private func link(_ path: String) -> String { address.appending(path: path).absoluteString }

  private func page(_ content: String) -> Response { .plainPage(title: title, content) }
}
