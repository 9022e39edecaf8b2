public import CausewayData
import CausewayWeb
public import Foundation

/// Mails that people have chosen, such as reminders, from a queue in the database.
///
/// A change stores its event in its own transaction with
/// ``note(_:of:content:by:at:settlingFor:before:until:in:)`` or
/// ``schedule(_:of:content:at:until:in:)``, so either both are stored or neither. When the event is
/// due, one transaction replaces it by a notice for each account. One transaction claims a notice
/// before its mail is sent, and another one removes the notice afterwards. Several processes can
/// share the database. A process that was killed continues after its next start.
///
/// Each mail is sent at least once. It is sent twice only if a process ends, or loses the database,
/// after the mail server has taken the mail and before the notice is removed. Both mails then have
/// the same id, by which many mail servers recognise the second one.
///
/// A notice ends without a mail in four cases: its kind is no longer chosen; the account or its
/// address is removed, changed or held; ``removeNotices(ofTopicsWithPrefix:of:in:)`` removes the
/// notice; or ``NoticeSource/mail(for:in:)`` returns nil.
///
/// ```swift
/// let notices = AccountNotices(
///   store: store, source: BoardNotices(), title: "Board", address: address,
///   kinds: ["reminder": "what begins soon"], report: log.error,
///   isTemporary: { ($0 as? MailError)?.isTemporary == true },
///   send: { mail in
///     try await service.send(
///       MailMessage(
///         to: MailAddress(mail.address), subject: mail.subject, text: mail.text,
///         unsubscribe: mail.unsubscribe, id: mail.id))
///   })
/// notices.serve(on: server)
/// let sending = Task { await notices.run() }
/// ```
public struct AccountNotices: Sendable {
  let store: any PersistenceService
  let source: any NoticeSource
  let title: String
  let address: URL
  let kinds: [String: String]
  let backoff: Backoff
  let now: @Sendable () -> Date
  let random: Secret.Source
  /// The unknown links that a network has opened.
  let misses: RateLimiter
  private let report: @Sendable (any Error) -> Void
  private let isTemporary: @Sendable (any Error) -> Bool
  private let send: @Sendable (NoticeMail) async throws -> Void

  /// How long a mail is retried, in seconds.
  static let patience: TimeInterval = 86_400
  /// How long a claim lasts, in seconds.
  ///
  /// It is longer than the longest attempt of `MailService`.
  static let lease: TimeInterval = 300

  /// Describes the notices of a database whose schema contains
  /// ``migration(integer:real:options:)``.
  ///
  /// - Parameters:
  ///   - store: The database.
  ///   - source: Who gets which notice.
  ///   - title: The name of the app, on the page that ends mails.
  ///   - address: The address of the pages. Links begin with it.
  ///   - kinds: The kinds that an account can choose, with words for "mails about …".
  ///   - backoff: The waits after temporary failures, which are repeated for a day.
  ///   - now: Returns the current date.
  ///   - random: Returns 64 random bits.
  ///   - report: Receives each error after which a mail is not sent, and errors of the database.
  ///     Called on any thread.
  ///   - isTemporary: Returns whether an error of `send` is temporary.
  ///   - send: Sends a mail, and returns when the mail server has accepted it. Each process makes
  ///     one call at a time. A call must take less than five minutes, because another process sends
  ///     the mail after this time.
  public init(
    store: any PersistenceService, source: any NoticeSource, title: String, address: URL,
    kinds: [String: String],
    backoff: Backoff = Backoff(initial: .seconds(60), cap: .seconds(7_200)),
    now: @escaping @Sendable () -> Date = { Date() },
    random: @escaping Secret.Source = Secret.system,
    report: @escaping @Sendable (any Error) -> Void,
    isTemporary: @escaping @Sendable (any Error) -> Bool,
    send: @escaping @Sendable (NoticeMail) async throws -> Void
  ) {
    (self.store, self.source, self.title, self.address) = (store, source, title, address)
    (self.kinds, self.backoff, self.now, self.random) = (kinds, backoff, now, random)
    misses = RateLimiter(
      60, per: .seconds(3_600), code: "too-many-links",
      detail: "There were too many unknown links in the last hour.", date: now)
    (self.report, self.isTemporary, self.send) = (report, isTemporary, send)
  }

  /// Sends what is due, until the task is cancelled.
  ///
  /// - Parameters:
  ///   - interval: The time between two queries for due mails.
  ///   - clock: Measures the time.
  public func run(
    every interval: Duration = .seconds(20), clock: any Clock<Duration> = ContinuousClock()
  ) async {
    var isFailing = false
    while !Task.isCancelled {
      do {
        try await sendDue()
        isFailing = false
      } catch {
        // Only the first failure is reported: a database that is out of reach would fill the log.
        if !isFailing, !Task.isCancelled { report(error) }
        isFailing = true
      }
      do { try await clock.sleep(for: interval) } catch { return }
    }
  }

  /// Sends the mails that are due now.
  ///
  /// After three failures in a row, the other mails wait for the next call, because the mail server
  /// is probably out of reach or refuses all mails. If the ``NoticeSource`` throws for an event or
  /// a notice, only that event or notice is retried, for a day.
  ///
  /// - Throws: An error of the database, or `CancellationError`.
  public func sendDue() async throws {
    while let event = try await dueEvent() {
      do { try await expand(event) } catch {
        try await postpone(event, after: error)
        report(error)
      }
    }
    var failures = 0
    while failures < 3, let id = try await dueNotice() {
      let claim: Claim
      do {
        // Another process may have claimed the notice meanwhile, or the notice may have ended.
        guard let own = try await self.claim(id) else { continue }
        claim = own
      } catch {
        try await postpone(id, after: error)
        report(error)
        continue
      }
      do {
        try await send(claim.mail)
        failures = 0
        await finish(claim, .sent)
      } catch {
        if Task.isCancelled {
          await finish(claim, .interrupted)
          throw CancellationError()
        }
        let isTemporary = isTemporary(error)
        failures += 1
        let isLast = await finish(claim, isTemporary ? .delayed : .refused)
        if isLast { report(error) }
      }
    }
  }

  /// Stores the end of an attempt, even if the task was cancelled; returns whether it was the last
  /// attempt.
  @discardableResult
  private func finish(_ claim: Claim, _ outcome: Outcome) async -> Bool {
    let storing = Task { try await complete(claim, as: outcome) }
    do {
      return try await storing.value
    } catch {
      // The claim expires, and the mail is then sent again.
      report(error)
      return false
    }
  }
}
