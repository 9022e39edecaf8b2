public import CausewayDatabase
public import CausewayNetwork
import CausewayRetries
import CausewaySession
import CausewayStreams
import CausewaySystem

extension Outbox {
  /// Stores a mutation for the signed-in account; returns after the commit.
  ///
  /// - Returns: The new entry, or the existing entry with the draft's key.
  /// - Throws: `SessionError` if no account is signed in or the session ends in the meantime;
  ///   `OutboxError.full`; `PersistenceError`; `CancellationError` before anything is stored.
  @discardableResult
  public func enqueue(_ draft: OutboxDraft) async throws -> OutboxEntry {
    guard let ticket = session.current else { throw SessionError.signedOut }
    return try await enqueue(draft, as: ticket) { _, _ in }
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

  /// Observes the entries of the signed-in account: yields them now and after each change.
  ///
  /// The observation is registered when this function returns. When the account logs out, it yields
  /// no entries any more. After another sign-in, observe again.
  public nonisolated func observeEntries() -> LiveQuery<OutboxEntry> {
    persistence.observe(
      """
      SELECT \(SQL.entryColumns) FROM sync_outbox WHERE account = \(session.current?.account)
      ORDER BY sequence
      """, as: OutboxEntry.self)
  }

  /// The account's dead letters in order; their number is at most the outbox's limit.
  ///
  /// - Throws: `PersistenceError` or `CancellationError`.
  public func deadLetters() async throws -> [DeadLetter] {
    guard let account = session.current?.account else { return [] }
    return try await persistence.read {
      try $0.rows(
        """
        SELECT \(SQL.deadLetterColumns) FROM sync_dead_letter WHERE account = \(account)
        ORDER BY sequence
        """, as: DeadLetter.self)
    }
  }

  /// Yields each mutation that is refused after this call.
  public nonisolated func rejections() -> AsyncStream<DeadLetter> { rejected.stream() }

  /// Yields each dead letter that is removed because there are too many.
  ///
  /// The stream is registered when this returns, so it yields every later one.
  public nonisolated func droppedDeadLetters() -> AsyncStream<DeadLetter> { dropped.stream() }

  /// Sends a dead letter again after all entries, followed by the dead letters that require it.
  ///
  /// A mutation that the server has refused gets a new key, because the server may remember its
  /// refusal of the old key. Every other mutation keeps its key, because the server may have
  /// applied it, for example if its response could not be decoded. With the same key the server
  /// does not apply it twice.
  ///
  /// If a dead letter requires another dead letter, first send the required one again, or discard
  /// it. After it was discarded, this one can be sent without it.
  ///
  /// - Returns: The key of the new entry.
  /// - Throws: `OutboxError.notFound`, `requiresDeadLetter` or `full`; `SessionError`,
  ///   `PersistenceError` or `CancellationError`.
  @discardableResult
  public func resend(_ key: IdempotencyKey) async throws -> IdempotencyKey {
    guard let ticket = session.current else { throw SessionError.signedOut }
    let entries = try await makingRoom { try await self.revive(key, as: ticket) }
    loop.send(.stored)
    let first = entries[0]
    if first.key != key { registry.end(first.collection, first.account, key, nil) }
    for entry in entries { registry.tell(.stored(entry.sequence), about: entry) }
    return first.key
  }

  private nonisolated func revive(
    _ key: IdempotencyKey, as ticket: SessionTicket
  ) async throws -> [OutboxEntry] {
    try await persistence.write(as: ticket) { [self] transaction in
      guard let letter = try transaction.deadLetter(key, of: ticket.account) else {
        throw OutboxError.notFound(key)
      }
      let revived = letter.reason.isRefusal ? loop.surroundings.makeKey() : key
      let keys = try transaction.reviveDeadLetter(letter, as: revived, limit: limit)
      let entries = try keys.map { key in
        guard let entry = try transaction.outboxEntry(key, of: ticket.account) else {
          throw OutboxError.notFound(key)
        }
        return entry
      }
      try transaction.show(entries, registry)
      return entries
    }
  }

  /// Removes a dead letter.
  ///
  /// - Throws: `OutboxError.notFound`, `SessionError`, `PersistenceError` or `CancellationError`.
  public func discard(_ key: IdempotencyKey) async throws {
    guard let ticket = session.current else { throw SessionError.signedOut }
    let letter = try await persistence.write(as: ticket) { transaction in
      guard let letter = try transaction.deadLetter(key, of: ticket.account) else {
        throw OutboxError.notFound(key)
      }
      try transaction.execute(
        "DELETE FROM sync_dead_letter WHERE sequence = \(letter.sequence)")
      return letter
    }
    DataSignals.send(letter.signal(because: "discarded"))
    registry.end(letter.collection, letter.account, key, letter.payload)
  }

  /// Removes a mutation that was never sent, with its effect on the rows; later ones stay.
  ///
  /// - Throws: `OutboxError.alreadySent` if the server may have the mutation; this includes every
  ///   entry that an earlier run of the app stored. `OutboxError.notFound`, also if the mutation
  ///   has become a dead letter; `SessionError`, `PersistenceError` or `CancellationError`.
  public func undo(_ key: IdempotencyKey) async throws {
    guard let ticket = session.current else { throw SessionError.signedOut }
    let entry = try await persistence.read { try $0.outboxEntry(key, of: ticket.account) }
    guard let entry else { throw OutboxError.notFound(key) }
    try await remove(entry, as: ticket)
  }
}

extension RemoteFailure.Kind {
  /// Whether the mutation needs a new key: the server has not applied it, but may remember its key.
  fileprivate var isRefusal: Bool {
    switch self {
    case .rejected, .conflict, .unsendable: true
    // The mutation was never sent, so the server cannot remember its key.
    case .dependencyFailed: false
    case .unreachable, .timedOut, .busy, .serverFault, .unauthorized, .garbled, .unknown: false
    }
  }
}
