public import CausewayDatabase
public import CausewayWeb
public import Foundation

/// The mail address of an account, and a kind of mails that the account has chosen, if any.
public struct NoticeChoice: Sendable, Equatable, Decodable {
  /// The confirmed address of the account.
  public let address: String
  /// The kind; nil if the account has chosen none.
  public let kind: String?
}

/// Which mails a person wants.
extension AccountNotices {
  /// The confirmed address of an account and the kinds of mails that it has chosen, now and after
  /// each change.
  ///
  /// There is a row for each chosen kind. If no kind is chosen, there is one row, whose kind is
  /// `nil`. Without a confirmed address, there is no row.
  public static func choices(
    of account: String, in store: any PersistenceService
  ) -> LiveQuery<NoticeChoice> {
    store.observe(
      """
      SELECT address, kind FROM account_mail
      LEFT JOIN notice_choice ON notice_choice.account = account_mail.account
      WHERE account_mail.account = \(account) AND address IS NOT NULL ORDER BY kind
      """, as: NoticeChoice.self)
  }

  /// Begins or ends mails of a kind, which go to the confirmed address of the account.
  ///
  /// The end of a kind also removes the waiting mails of this kind. When the address is removed,
  /// the choices are removed too.
  ///
  /// - Parameters:
  ///   - kind: One of the kinds of the app.
  ///   - isWanted: Whether the account wants the mails.
  ///   - account: The account.
  ///   - timeZone: The time zone of the person, for the times in mails; nil for that of the server.
  /// - Throws: A `Problem` with status 400 for another kind, and without a confirmed address.
  public func choose(
    _ kind: String, _ isWanted: Bool, of account: String, in timeZone: TimeZone?
  ) async throws {
    guard kinds[kind] != nil else { throw Problem.badRequest("There are no such mails.") }
    guard isWanted else {
      return try await store.write { try Self.end(kind, of: account, in: $0) }
    }
    let count = try await store.write { transaction in
      try transaction.executeAndCount(
        """
        INSERT INTO notice_choice (account, kind, zone)
        SELECT account, \(kind), \(timeZone?.identifier) FROM account_mail
        WHERE account = \(account) AND address IS NOT NULL
        ON CONFLICT (account, kind) DO UPDATE SET zone = excluded.zone
        """)
    }
    guard count == 1 else {
      throw Problem.badRequest("Enter a mail address first, and open the link in its mail.")
    }
  }

  private static func end(
    _ kind: String, of account: String, in transaction: any WriteTransaction
  ) throws {
    for table in ["notice_choice", "account_notice"] {
      try transaction.execute(
        """
        DELETE FROM \(identifier: table) WHERE account = \(account) AND kind = \(kind)
        """)
    }
  }

  /// Adds the page of the links in mails, which needs no sign-in.
  ///
  /// A GET ends nothing, because programs open the links of a mail to check them. A POST ends the
  /// mails; a person or a mail program sends it (RFC 8058). Only unknown links are limited by
  /// network, because the servers of a large mail provider send the requests of all its users.
  public func serve(on server: WebServer) {
    server.get("/mail/end/:code") { request in
      let (_, kind) = try await owner(of: request)
      return page(
        "<form method=\"post\"><p>End mails about \(words(kind))?</p><button>End them</button></form>"
      )
    }
    server.post("/mail/end/:code", bodyLimit: 4_096) { request in
      let (account, kind) = try await owner(of: request)
      try await store.write { try Self.end(kind, of: account, in: $0) }
      return page("<p>You get no more mails about \(words(kind)).</p>")
    }
  }

  private func words(_ kind: String) -> String { HTML.escape(kinds[kind] ?? kind) }

  private func page(_ content: String) -> Response { .plainPage(title: title, content) }

  private struct Owner: Decodable, Sendable { var account, kind: String }

  private func owner(of request: Request) async throws -> (account: String, kind: String) {
    let code = request.parameters["code"] ?? ""
    guard Secret.hasForm(code) else { throw Self.unknownLink }
    let hash = try Secret.hash(code, isRemembered: false)
    let owner = try await store.read { transaction in
      try transaction.row(
        """
        SELECT notice_end.account AS account, kind FROM notice_end
        JOIN account_mail ON account_mail.account = notice_end.account
          AND account_mail.address = notice_end.address
        WHERE notice_end.hash = \(hash)
        """, as: Owner.self)
    }
    guard let owner else {
      try misses.count(request.remoteNetwork)
      throw Self.unknownLink
    }
    return (owner.account, owner.kind)
  }

  private static let unknownLink = Problem.notFound(
    "This link has ended: its account gets no mails at this address, or the mail is older than a year."
  )
}
