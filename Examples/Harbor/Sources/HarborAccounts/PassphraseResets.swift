public import CausewayDatabase
public import CausewayWeb
public import Foundation

/// Links with which people replace a forgotten passphrase; each link works once.
///
/// The people who run the server make a code for an account, and send its link. The page of the link
/// needs no script and no view model. The database stores only the hash of a code.
///
/// ```swift
/// let resets = PassphraseResets(
///   store: store, passphrases: passphrases, title: "Board",
///   name: { try $1.row("SELECT name FROM account WHERE id = \($0)", as: String.self) },
///   check: { try checkNewPassphrase($0) },
///   set: { try $2.execute("UPDATE account SET secret = \($1) WHERE id = \($0)") })
/// resets.serve(on: server)
/// ```
public struct PassphraseResets: Sendable {
  private let store: any PersistenceService
  private let passphrases: Passphrases
  private let title: String
  private let now: @Sendable () -> Date
  private let name: @Sendable (String, any ReadTransaction) throws -> String?
  private let check: @Sendable (String) throws(Problem) -> Void
  private let set: @Sendable (String, String, any WriteTransaction) throws -> Void

  /// Describes the links of a database whose schema contains ``migration(real:options:)``.
  ///
  /// - Parameters:
  ///   - store: The database.
  ///   - passphrases: Makes the hashes.
  ///   - title: The name of the app, on the page.
  ///   - now: Returns the current date.
  ///   - name: Returns the name of an account; nil if it does not exist.
  ///   - check: Throws a `Problem` with a sentence for people if a passphrase is not permitted.
  ///   - set: Stores the hash of the new passphrase of an account. It should also end the sessions
  ///     of the account, such as with ``BrowserAccounts/signOutAll(of:except:in:)``.
  public init(
    store: any PersistenceService, passphrases: Passphrases, title: String,
    now: @escaping @Sendable () -> Date = { Date() },
    name: @escaping @Sendable (_ account: String, any ReadTransaction) throws -> String?,
    check: @escaping @Sendable (_ passphrase: String) throws(Problem) -> Void,
    set:
      @escaping @Sendable (_ account: String, _ hash: String, any WriteTransaction) throws -> Void
  ) {
    (self.store, self.passphrases, self.title, self.now) = (store, passphrases, title, now)
    (self.name, self.check, self.set) = (name, check, set)
  }

  /// The step that makes the table, after the table `account` with its key `id`.
  ///
  /// - Parameters:
  ///   - real: The database's type of floating-point numbers.
  ///   - options: The end of a table's definition, such as ` STRICT`.
  public static func migration(real: SQL = "DOUBLE PRECISION", options: SQL = "") -> Migration {
    Migration(
      "keep the codes for new passphrases",
      """
      CREATE TABLE passphrase_reset (
        account TEXT PRIMARY KEY NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        hash TEXT UNIQUE NOT NULL,
        expiry \(real) NOT NULL
      )\(options)
      """)
  }

  /// Makes the code of an account, in the caller's transaction; its link is `/reset/CODE`.
  ///
  /// It replaces earlier codes. The account keeps its passphrase until the code is used.
  public static func makeCode(
    for account: String, until expiry: Date, in transaction: any WriteTransaction
  ) throws -> String {
    try removeCodes(of: account, in: transaction)
    return try addCode(for: account, at: .distantPast, until: expiry, in: transaction)
  }

  /// Makes a code; the other codes of the account stay valid until they expire.
  static func addCode(
    for account: String, at now: Date, until expiry: Date, in transaction: any WriteTransaction
  ) throws -> String {
    let code = Secret.make(Secret.system)
    try transaction.execute(
      """
      DELETE FROM passphrase_reset
      WHERE account = \(account) AND expiry <= \(now.timeIntervalSince1970)
      """)
    try transaction.execute(
      """
      INSERT INTO passphrase_reset (account, hash, expiry)
      VALUES (\(account), \(Secret.hash(code)), \(expiry.timeIntervalSince1970))
      """)
    return code
  }

  /// Removes the codes of an account that expire at a date or earlier.
  static func removeCodes(
    of account: String, until expiry: Date = .distantFuture, in transaction: any WriteTransaction
  ) throws {
    try transaction.execute(
      """
      DELETE FROM passphrase_reset
      WHERE account = \(account) AND expiry <= \(expiry.timeIntervalSince1970)
      """)
  }

  /// Adds the page to a server.
  public func serve(on server: WebServer) {
    server.get("/reset/:code") { request in
      try await form(for: account(of: request).name)
    }
    server.post("/reset/:code", bodyLimit: 4_096) { request in
      let (id, name) = try await account(of: request)
      do {
        let passphrase = request.form("passphrase") ?? ""
        try await reset(id, to: passphrase, with: request.parameters["code"] ?? "")
      } catch let problem as Problem {
        return form(for: name, problem)
      }
      return page("<p>The passphrase is set. <a href=\"/\">Sign in</a> with it.</p>")
    }
  }

  /// The account of a code that was not used.
  private func account(of request: Request) async throws -> (id: String, name: String) {
    let code = request.parameters["code"] ?? ""
    // The system's hash function refuses long texts.
    guard code.utf8.count == Secret.length else { throw Self.usedCode }
    let now = now().timeIntervalSince1970
    let found = try await store.read { [name] transaction -> (String, String)? in
      let account = try transaction.row(
        """
        SELECT account FROM passphrase_reset
        WHERE hash = \(Secret.hash(code)) AND expiry > \(now)
        """, as: String.self)
      return try account.flatMap { id in try name(id, transaction).map { (id, $0) } }
    }
    guard let found else { throw Self.usedCode }
    return found
  }

  private static let usedCode = Problem.notFound(
    "This link was used or has expired. Ask the people who run the server for a new one.")

  private func reset(_ account: String, to passphrase: String, with code: String) async throws {
    try check(passphrase)
    let secret = try await passphrases.hash(passphrase)
    try await store.write { [set] transaction in
      let used: SQL = try "DELETE FROM passphrase_reset WHERE hash = \(Secret.hash(code))"
      guard try transaction.executeAndCount(used) == 1 else { throw Self.usedCode }
      try Self.removeCodes(of: account, in: transaction)
      try set(account, secret, transaction)
    }
  }

  private func form(for name: String, _ problem: Problem? = nil) -> Response {
    let name = HTML.escape(name)
    return page(
      """
      <form method="post"><p>A new passphrase for \(name):</p>
      <input name="name" autocomplete="username" value="\(name)" hidden>
      <input name="passphrase" type="password" autocomplete="new-password" required autofocus
        aria-label="New passphrase">
      <button>Set it</button><p role="alert">\(HTML.escape(problem?.detail ?? ""))</p></form>
      """, status: problem?.status ?? .ok)
  }

  private func page(_ content: String, status: HTTPStatus = .ok) -> Response {
    .plainPage(title: title, content, status: status)
  }
}

extension Response {
  /// A page that needs no script and no style sheet.
  ///
  /// - Parameter content: HTML, whose values are escaped.
  static func plainPage(title: String, _ content: String, status: HTTPStatus = .ok) -> Response {
    let title = HTML.escape(title)
    return .html(
      """
      <!doctype html><html lang="en"><meta charset="utf-8">
      <meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
      <link rel="icon" href="data:,"><title>\(title)</title><main><h1>\(title)</h1>\(content)</main></html>
      """, status: status)
  }
}
