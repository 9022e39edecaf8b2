import Foundation
import Synchronization

/// Mutations on their way to the server: stored in order, sent once in effect, kept until the
/// server's data shows them.
///
/// ```swift
/// let persistence = try await SQLiteService(path: "app.sqlite", migrations: Outbox.migrations)
/// let outbox = Outbox(persistence: persistence, session: session)
/// outbox.register("feedback") { entry in
///   try await server.post(entry.payload, key: entry.key)
///   return .final
/// }
/// outbox.start()
/// try await outbox.enqueue(OutboxDraft(collection: "feedback", kind: "send", payload: text))
/// ```
///
/// A mutation that `enqueue` has returned for survives the end of the process at any moment. It is
/// sent again, under the same ``IdempotencyKey``, until the server has answered and the answer is
/// stored; the server applies each key once. Entries of one scope go out one after the other, those
/// of different scopes beside each other. A refused one becomes a ``DeadLetter`` and blocks nobody,
/// and neither does one that nobody was registered to send.
///
/// Entries belong to the account that was signed in; a logout removes them.
public actor Outbox {
  /// Where everything is stored.
  public nonisolated let persistence: any PersistenceService
  /// Whose entries are sent.
  public nonisolated let session: any SessionServiceProtocol

  nonisolated let environment: SyncEnvironment
  nonisolated let timeout: Duration
  nonisolated let inbox = SignalQueue<Signal>()
  nonisolated let routes = Mutex<[String: OutboxRoute]>([:])
  nonisolated let observers = Mutex<Observers>(Observers())
  nonisolated let rejected = Broadcast<DeadLetter>(nil, buffering: .everything)
  nonisolated let dropped = Broadcast<DeadLetter>(nil, buffering: .everything)
  nonisolated let deadLetterLimit: Int
  private nonisolated let limit: Int
  private nonisolated let running = Mutex<Task<Void, Never>?>(nil)
  private nonisolated let membership = Mutex<Registration?>(nil)

  var machine: OutboxMachine
  var ticket: SessionTicket?
  var attempts: [Int64: Attempt] = [:]
  var timer: Attempt?

  /// Makes an outbox; `start` or `run` sets it going.
  ///
  /// - Parameters:
  ///   - persistence: A service whose migrations include `Outbox.migrations`.
  ///   - session: Whose entries are sent; a logout wipes the outbox and all synced tables.
  ///   - table: Which failures are tried again.
  ///   - parallelScopes: How many scopes send beside each other, at least 1.
  ///   - limit: How many entries an account may have; more are refused with `OutboxError.full`. One
  ///     that the server has acknowledged counts until stored data shows it, since it is there until
  ///     then: where nobody reads, it would be there for ever.
  ///   - deadLetterLimit: How many dead letters are kept for an account, at least 1. One more makes
  ///     the one that was refused first go; ``droppedDeadLetters()`` tells of it.
  ///   - timeout: How long a request may take.
  ///   - environment: Time and chance.
  public init(
    persistence: any PersistenceService, session: any SessionServiceProtocol,
    table: RetryTable = .standard, parallelScopes: Int = 4, limit: Int = 10_000,
    deadLetterLimit: Int = 1_000, timeout: Duration = .seconds(60),
    environment: SyncEnvironment = SyncEnvironment()
  ) {
    precondition(parallelScopes > 0, "At least one scope has to be sent.")
    precondition(deadLetterLimit > 0, "At least one dead letter has to be kept.")
    self.persistence = persistence
    self.session = session
    self.limit = limit
    self.deadLetterLimit = deadLetterLimit
    self.timeout = timeout
    self.environment = environment
    machine = OutboxMachine(table: table, parallelScopes: parallelScopes)
    // For as long as the session lives, even if no outbox does: rows outlive objects.
    session.add(
      SessionParticipant("outbox and synced tables") { wipe in
        try await persistence.write { try $0.wipe(wipe) }
      })
    let joined = session.join(
      SessionParticipant(
        "outbox", began: { [inbox] in inbox.send(.began($0)) },
        ended: { [inbox] in inbox.send(.ended($0)) },
        wipe: { [weak self] _ in await self?.forget() }))
    membership.withLock { $0 = joined }
  }

  deinit {
    inbox.finish()
    running.withLock { $0 }?.cancel()
  }

  /// Sets the outbox going, for as long as somebody holds it.
  ///
  /// Does nothing the second time.
  public nonisolated func start() {
    running.withLock { running in
      guard running == nil else { return }
      running = Task { [inbox, weak self] in await Self.run(inbox) { [weak self] in self } }
    }
  }

  /// Does the outbox's work in the caller's task until that is cancelled.
  ///
  /// For those who want it in a task group of their own; call either this or `start`, once.
  public nonisolated func run() async {
    await Self.run(inbox) { self }
  }

  /// Says how a collection's entries are sent; replaces what was said before.
  ///
  /// Until then they wait; entries of other collections pass them, also in the same scope. A
  /// ``SyncEngine`` registers its own. Here nobody reads what would show a mutation, so that every
  /// receipt counts as ``MutationReceipt/final``.
  ///
  /// - Parameters:
  ///   - collection: The collection's name.
  ///   - send: Sends an entry, with its idempotency key, and returns when the server has it. Runs
  ///     off any actor, for different scopes at the same time; has to end soon after its task is
  ///     cancelled. Errors are classed by ``RemoteFailure/init(_:)``.
  public nonisolated func register(
    _ collection: String,
    send: @escaping @concurrent @Sendable (OutboxEntry) async throws -> MutationReceipt
  ) {
    register(
      collection,
      OutboxRoute(send: { entry in
        _ = try await send(entry)
        return .final
      }))
  }

  /// Stores a mutation for the account that is signed in; returns after the commit.
  ///
  /// - Returns: The entry, or the one that has the draft's key already.
  /// - Throws: `SessionError` when nobody is signed in or the session ends meanwhile,
  ///   `OutboxError.full`, `PersistenceError`, or `CancellationError` before anything is stored.
  @discardableResult
  public func enqueue(_ draft: OutboxDraft) async throws -> OutboxEntry {
    guard let ticket = session.current else { throw SessionError.signedOut }
    return try await enqueue(draft, as: ticket) { _ in }
  }

  /// The entries of the account that is signed in, in order.
  ///
  /// - Throws: `PersistenceError` or `CancellationError`.
  /// - Complexity: O(entries).
  public func entries() async throws -> [OutboxEntry] {
    guard let account = session.current?.account else { return [] }
    return try await persistence.read {
      try $0.rows(
        "SELECT \(SQL.entryColumns) FROM sync_outbox WHERE account = \(account) ORDER BY sequence",
        as: OutboxEntry.self)
    }
  }

  /// Sends what waits for a retry at once, such as when the connection is back.
  public nonisolated func retryNow() {
    inbox.send(.retryRequested, once: .retryRequested)
  }

  /// Stores an entry and what goes along with it in one transaction.
  func enqueue(
    _ draft: OutboxDraft, as ticket: SessionTicket,
    alongside: @escaping @Sendable (any WriteTransaction) throws -> Void
  ) async throws -> OutboxEntry {
    adopt(ticket)
    let created = environment.date()
    let (entry, isNew) = try await persistence.write(as: ticket) { [limit] transaction in
      let stored = try transaction.storeEntry(
        draft, of: ticket.account, created: created, limit: limit)
      try alongside(transaction)
      return stored
    }
    // One that was there already keeps its mark if this run has stored it and not sent it. Otherwise
    // the server may have it, whatever its row says.
    if isNew, ticket == self.ticket { machine.noteOwn(entry.sequence) }
    inbox.send(.stored, once: .stored)
    tell(.stored, about: entry)
    return entry
  }
}
