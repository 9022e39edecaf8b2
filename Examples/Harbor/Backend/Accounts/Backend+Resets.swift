import CausewayAccounts
import CausewayData
package import CausewayWeb
import Foundation
import HarborDomain

/// The page on which a person sets a new passphrase, with a code of ``AccountDirectory``.
extension Backend {
  /// The step that stores the hashes of the codes, one for each account.
  static func resetsMigration(real: SQL, options: SQL) -> Migration {
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

  /// Adds the page, which needs no script and no view model.
  package func serveResets(on server: WebServer) {
    server.get("/reset/:code") { [self] request in
      Self.form(for: try await resettable(request.parameters["code"] ?? ""))
    }
    server.post("/reset/:code", bodyLimit: 4_096) { [self] request in
      let code = request.parameters["code"] ?? ""
      let account = try await resettable(code)
      do {
        try await reset(account, to: request.form("passphrase") ?? "", with: code)
      } catch let problem as Problem {
        return Self.form(for: account, problem)
      }
      return Self.page("<p>The passphrase is set. <a href=\"/\">Sign in</a> with it.</p>")
    }
  }

  /// The account of a code that was not used.
  private func resettable(_ code: String) async throws -> NamedAccount {
    let now = now().timeIntervalSince1970
    // The system's hash function refuses long texts.
    guard code.utf8.count == Secret.length,
      let account = try await store.read({ transaction in
        try transaction.row(
          """
          SELECT id, name FROM account WHERE id = (SELECT account FROM passphrase_reset
            WHERE hash = \(Secret.hash(code)) AND expiry > \(now))
          """, as: NamedAccount.self)
      })
    else { throw Self.usedCode }
    return account
  }

  private static let usedCode = Problem.notFound(
    "This link was used or has expired. Ask the people who run the server for a new one.")

  /// Stores a passphrase, uses the code up, and ends all sessions of the account.
  private func reset(
    _ account: NamedAccount, to passphrase: String, with code: String
  ) async throws {
    try Credentials(name: account.name, passphrase: passphrase).checkNewPassphrase()
    let secret = try await passphrases.hash(passphrase)
    try await store.write { transaction in
      let used: SQL = try "DELETE FROM passphrase_reset WHERE hash = \(Secret.hash(code))"
      guard try transaction.executeAndCount(used) == 1 else { throw Self.usedCode }
      try transaction.execute("UPDATE account SET secret = \(secret) WHERE id = \(account.id)")
      try Self.endSessions(of: account.id, in: transaction)
    }
  }

  /// Signs all browsers and devices of an account out.
  ///
  /// Their pages and event streams end.
  static func endSessions(of account: String, in transaction: any WriteTransaction) throws {
    for browser in try BrowserAccounts.signOutAll(of: account, in: transaction) {
      try forget(browser, isSignedOut: true, in: transaction)
    }
    try transaction.execute("DELETE FROM token WHERE account = \(account)")
    try transaction.execute("DELETE FROM device WHERE account = \(account)")
  }

  private static func form(for account: NamedAccount, _ problem: Problem? = nil) -> Response {
    let name = HTML.escape(account.name)
    return page(
      """
      <form method="post"><p>A new passphrase for \(name):</p>
      <input name="name" autocomplete="username" value="\(name)" hidden>
      <input name="passphrase" type="password" autocomplete="new-password" required autofocus
        minlength="\(Credentials.shortest)" aria-label="New passphrase">
      <button>Set it</button><p role="alert">\(HTML.escape(problem?.detail ?? ""))</p></form>
      """, status: problem?.status ?? .ok)
  }

  private static func page(_ content: String, status: HTTPStatus = .ok) -> Response {
    .html(
      """
      <!doctype html><html lang="en"><meta charset="utf-8">
      <meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
      <link rel="icon" href="data:,"><title>Harbor</title><h1>Harbor</h1>\(content)</html>
      """, status: status)
  }
}
