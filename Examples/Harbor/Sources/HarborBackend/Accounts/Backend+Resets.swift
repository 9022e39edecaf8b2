import CausewayData
import CausewaySyncServer
package import CausewayWeb
package import Foundation
package import HarborAccounts
import HarborDomain

/// New passphrases, and the end of an account's sessions.
extension Backend {
  /// Adds the page of the links of ``AccountDirectory``.
  package func serveResets(on server: WebServer) {
    PassphraseResets(
      store: store, passphrases: passphrases, title: "Harbor", now: now,
      name: { try $1.row("SELECT name FROM account WHERE id = \($0)", as: String.self) },
      check: { passphrase throws(Problem) in
        try Credentials(name: "", passphrase: passphrase).checkNewPassphrase()
      },
      set: { account, secret, transaction in
        try transaction.execute("UPDATE account SET secret = \(secret) WHERE id = \(account)")
        try Self.endSessions(of: account, in: transaction)
        try AccountMail.release(account, in: transaction)
      }
    ).serve(on: server)
  }

  /// The mail addresses of accounts.
  ///
  /// - Parameters:
  ///   - pages: The address of the pages.
  ///   - send: Sends a mail to an address, with a subject and a text.
  package func makeMail(
    at pages: URL, _ send: @escaping @Sendable (String, String, String) throws -> Void
  ) -> AccountMail {
    AccountMail(
      store: store, title: "Harbor", address: pages, now: now,
      account: { try AccountDirectory.known($0, in: $1)?.id }, report: report, send: send)
  }

  /// Signs the browsers and devices of an account out.
  ///
  /// Their pages and event streams end, and the addresses of calendars.
  static func endSessions(
    of account: String, except kept: String? = nil, in transaction: any WriteTransaction
  ) throws {
    for browser in try BrowserAccounts.signOutAll(of: account, except: kept, in: transaction) {
      try forget(browser, isSignedOut: true, in: transaction)
    }
    try transaction.execute("DELETE FROM token WHERE account = \(account)")
    try transaction.execute("DELETE FROM device WHERE account = \(account)")
    try SecretLinks.remove(of: account, in: transaction)
    try AccountMail.endConfirmations(of: account, in: transaction)
  }
}
