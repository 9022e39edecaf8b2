import CausewayData
import Foundation

/// The queue: events become notices, and a notice is claimed while its mail is sent.
extension AccountNotices {
  /// A claimed notice with its mail.
  struct Claim: Sendable {
    var mail: NoticeMail
    /// The number of attempts, including this one; a later claim has a larger number.
    var attempts: Int
    var created: Double
  }

  /// The end of an attempt.
  enum Outcome: Sendable { case sent, refused, delayed, interrupted }

  /// The event that has been due for the longest time; nil if no event is due.
  func dueEvent() async throws -> NoticeEvent? {
    let now = now().timeIntervalSince1970
    // On PostgreSQL, a transaction that only reads never conflicts with another one.
    let first: SQL = "\(Self.events) WHERE due <= \(now) ORDER BY due, topic LIMIT 1"
    return try await store.read { try $0.row(first, as: NoticeEvent.self) }
  }

  private static let events: SQL = """
    SELECT kind, topic, content, latest, actor, last_actor AS "lastActor", attempts, expiry
    FROM notice_event
    """

  /// Replaces a due event by its notices.
  ///
  /// The transaction removes the event, so other processes make no notices of it.
  func expand(_ event: NoticeEvent) async throws {
    let now = now()
    let seconds = now.timeIntervalSince1970
    try await store.write { [source, random] transaction in
      // Another process may have replaced the event by notices, or a change may have moved it.
      let event = try transaction.row(
        """
        \(Self.events)
        WHERE kind = \(event.kind) AND topic = \(event.topic) AND due <= \(seconds)
        """, as: NoticeEvent.self)
      guard let event else { return }
      try Self.cancel(event.kind, of: event.topic, in: transaction)
      guard event.end > now else { return }
      let drafts = try source.notices(of: event, in: transaction)
      let addresses = try Self.addresses(of: drafts, in: transaction)
      for draft in drafts {
        guard let address = addresses[draft.account]?[draft.kind] else { continue }
        // The notice gets a new id, so a mail that is being sent no longer belongs to it.
        try transaction.execute(
          """
          INSERT INTO account_notice
            (id, account, kind, topic, content, address, attempts, created, due, expiry)
          VALUES (\(Secret.makeID(random)), \(draft.account), \(draft.kind), \(event.topic),
            \(draft.content), \(address), 0, \(seconds), \(seconds),
            \(event.end.timeIntervalSince1970))
          ON CONFLICT (account, kind, topic) DO UPDATE SET id = excluded.id,
            content = \(draft.keepsContent ? "account_notice.content" : "excluded.content" as SQL),
            address = excluded.address, attempts = 0, created = excluded.created,
            due = excluded.due, expiry = excluded.expiry, code = NULL
          """)
      }
    }
  }

  private struct Chosen: Decodable, Sendable { var account, kind, address: String }

  /// The addresses for the notices whose kind the account has chosen, by account and kind.
  private static func addresses(
    of drafts: [NoticeDraft], in transaction: any ReadTransaction
  ) throws -> [String: [String: String]] {
    var result: [String: [String: String]] = [:]
    let accounts = Array(Set(drafts.map(\.account)))
    // A statement has a limited number of values.
    for start in stride(from: 0, to: accounts.count, by: 500) {
      let part = Array(accounts[start..<min(start + 500, accounts.count)])
      let chosen = try transaction.rows(
        """
        SELECT account_mail.account AS account, kind, address
        FROM account_mail JOIN notice_choice ON notice_choice.account = account_mail.account
        WHERE account_mail.account IN \(list: part) AND address IS NOT NULL
        """, as: Chosen.self)
      for row in chosen { result[row.account, default: [:]][row.kind] = row.address }
    }
    return result
  }

  /// Postpones an event whose notices could not be made, or removes it after a day.
  ///
  /// - Throws: The error, if the database is out of reach or the task was cancelled.
  func postpone(_ event: NoticeEvent, after error: any Error) async throws {
    try Self.check(error)
    let now = now().timeIntervalSince1970
    let next = now + pause(afterAttempts: event.attempts + 1)
    // A later change may have moved the event meanwhile.
    let own: SQL = "kind = \(event.kind) AND topic = \(event.topic) AND due <= \(now)"
    try await store.write { transaction in
      // The day begins with the first attempt, which can be long after the event was due.
      try transaction.execute(
        """
        UPDATE notice_event SET due = \(next), attempts = attempts + 1,
          began = CASE WHEN attempts = 0 THEN \(now) ELSE began END
        WHERE \(own)
        """)
      try transaction.execute(
        """
        DELETE FROM notice_event WHERE kind = \(event.kind) AND topic = \(event.topic)
          AND attempts > 0 AND (due >= expiry OR due >= began + \(Self.patience))
        """)
    }
  }

  /// Postpones a notice whose mail could not be made, or removes it after a day.
  ///
  /// - Throws: The error, if the database is out of reach or the task was cancelled.
  func postpone(_ id: String, after error: any Error) async throws {
    try Self.check(error)
    let now = now().timeIntervalSince1970
    try await store.write { [self] transaction in
      let query: SQL = "SELECT attempts FROM account_notice WHERE id = \(id) AND due <= \(now)"
      guard let attempts = try transaction.row(query, as: Int.self) else { return }
      let next = now + pause(afterAttempts: attempts + 1)
      try transaction.execute(
        """
        UPDATE account_notice SET due = \(next), attempts = \(attempts + 1) WHERE id = \(id)
        """)
      try transaction.execute(
        """
        DELETE FROM account_notice
        WHERE id = \(id) AND (due >= expiry OR due >= created + \(Self.patience))
        """)
    }
  }

  /// Throws an error that stops all notices.
  private static func check(_ error: any Error) throws {
    let kind = (error as? PersistenceError)?.kind
    if error is CancellationError || kind == .unavailable || kind == .closed
      || kind == .interrupted
    {
      throw error
    }
  }

  private func pause(afterAttempts attempts: Int) -> TimeInterval {
    backoff.delay(afterAttempts: attempts, random: Double(random() >> 11) / Double(1 << 53))
      / .seconds(1)
  }

  private struct Row: Decodable, Sendable {
    var id, account, kind, topic, content, address: String
    var attempts: Int
    var created, expiry: Double
    var code: String?
    /// The account's current confirmed address, the kind of the notice if the account has chosen
    /// it, and the time zone of that choice.
    var confirmed, chosen, zone: String?

    var notice: AccountNotice {
      AccountNotice(
        id: id, account: account, kind: kind, topic: topic, content: content,
        timeZone: zone.flatMap(TimeZone.init(identifier:)) ?? .current)
    }
  }

  /// The id of the notice that has been due for the longest time; nil if no notice is due.
  func dueNotice() async throws -> String? {
    let now = now().timeIntervalSince1970
    let due: SQL = "SELECT id FROM account_notice WHERE due <= \(now) ORDER BY due, id LIMIT 1"
    return try await store.read { try $0.row(due, as: String.self) }
  }

  /// Claims a notice and makes its mail; nil if it is not due any more.
  func claim(_ id: String) async throws -> Claim? {
    let now = now().timeIntervalSince1970
    // A hash takes too long for a transaction that writes. The code is stored as long as the notice
    // waits, because the links of all attempts are the same.
    let stored: SQL = "SELECT code FROM account_notice WHERE id = \(id) AND code IS NOT NULL"
    let known = try await store.read { try $0.row(stored, as: String.self) }
    let code = known ?? Secret.make(random)
    let hash = try known == nil ? Secret.hash(code, isRemembered: false) : nil
    return try await store.write { [self] transaction in
      let row = try transaction.row(
        """
        SELECT id, notice.account AS account, notice.kind AS kind, topic, content,
          notice.address AS address, attempts, created, code, notice.expiry AS expiry,
          account_mail.address AS confirmed, notice_choice.kind AS chosen, zone
        FROM account_notice AS notice
        LEFT JOIN account_mail ON account_mail.account = notice.account
        LEFT JOIN notice_choice ON notice_choice.account = notice.account
          AND notice_choice.kind = notice.kind
        WHERE id = \(id) AND due <= \(now)
        """, as: Row.self)
      guard let row else { return nil }
      guard row.confirmed == row.address, row.chosen != nil, row.expiry > now,
        let text = try source.mail(for: row.notice, in: transaction)
      else {
        try transaction.execute("DELETE FROM account_notice WHERE id = \(id)")
        return nil
      }
      try transaction.execute(
        """
        UPDATE account_notice SET attempts = \(row.attempts + 1), due = \(now + Self.lease),
          code = \(row.code ?? code)
        WHERE id = \(id)
        """)
      if row.code == nil, let hash {
        try transaction.execute(
          """
          INSERT INTO notice_end (hash, account, kind, address, created)
          VALUES (\(hash), \(row.account), \(row.kind), \(row.address), \(now))
          """)
      }
      let end = address.appending(path: "mail/end/\(row.code ?? code)")
      return Claim(
        mail: NoticeMail(
          id: id, address: row.address, subject: text.subject,
          text: "\(text.text)\n\nEnd these mails: \(end.absoluteString)\n", unsubscribe: end),
        attempts: row.attempts + 1, created: row.created)
    }
  }

  /// Removes or postpones the notice of an attempt; returns whether the notice has failed for good.
  func complete(_ claim: Claim, as outcome: Outcome) async throws -> Bool {
    let now = now().timeIntervalSince1970
    let next: Double? =
      switch outcome {
      case .sent, .refused: nil
      case .delayed: now + pause(afterAttempts: claim.attempts)
      case .interrupted: now
      }
    // If this attempt has lasted too long, another process has begun an attempt with another
    // number.
    let own: SQL = "id = \(claim.mail.id) AND attempts = \(claim.attempts)"
    guard let next, next < claim.created + Self.patience else {
      try await store.write { try $0.execute("DELETE FROM account_notice WHERE \(own)") }
      return outcome != .sent
    }
    try await store.write { transaction in
      try transaction.execute("UPDATE account_notice SET due = \(next) WHERE \(own)")
    }
    return false
  }
}
