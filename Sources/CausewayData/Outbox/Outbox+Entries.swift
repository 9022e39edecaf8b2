extension Outbox {
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

  /// The mutations that were refused for good, in order; no more than the outbox's limit of them.
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

  /// Each mutation that is refused from now on; registered when this returns, none is missed.
  public nonisolated func rejections() -> AsyncStream<DeadLetter> { rejected.stream() }

  /// Each dead letter that goes because there are too many; registered when this returns, none is
  /// missed.
  public nonisolated func droppedDeadLetters() -> AsyncStream<DeadLetter> { dropped.stream() }

  /// Sends a dead letter again, behind all entries.
  ///
  /// What the server has refused gets a new key, since it may remember that it has refused the old
  /// one. Everything else keeps its key: the server may have applied it, as when its answer came
  /// garbled, and does not apply it twice under the same key.
  ///
  /// - Returns: The key that it is sent under.
  /// - Throws: `OutboxError.notFound`, `SessionError`, `PersistenceError` or `CancellationError`.
  @discardableResult
  public func resend(_ key: IdempotencyKey) async throws -> IdempotencyKey {
    guard let ticket = session.current else { throw SessionError.signedOut }
    let entry = try await persistence.write(as: ticket) { [self] transaction in
      guard let letter = try transaction.deadLetter(key, of: ticket.account) else {
        throw OutboxError.notFound(key)
      }
      let revived = letter.reason.isRefusal ? IdempotencyKey() : key
      try transaction.reviveDeadLetter(letter, as: revived)
      guard let entry = try transaction.outboxEntry(revived, of: ticket.account) else {
        throw OutboxError.notFound(revived)
      }
      try registry.route(for: entry.collection)?.show(entry, transaction)
      return entry
    }
    driver.send(.stored)
    registry.tell(.stored(entry.sequence), about: entry)
    return entry.key
  }

  /// Removes a dead letter.
  ///
  /// - Throws: `OutboxError.notFound`, `SessionError`, `PersistenceError` or `CancellationError`.
  public func discard(_ key: IdempotencyKey) async throws {
    guard let ticket = session.current else { throw SessionError.signedOut }
    try await persistence.write(as: ticket) { transaction in
      let count = try transaction.execute(
        "DELETE FROM sync_dead_letter WHERE key = \(key) AND account = \(ticket.account)")
      if count == 0 { throw OutboxError.notFound(key) }
    }
  }

  /// Takes back a mutation that was never sent; its effect on the rows goes, later ones stay.
  ///
  /// - Throws: `OutboxError.alreadySent` if the server may have it, also because an earlier run of
  ///   the app has stored it; `OutboxError.notFound`, `SessionError`, `PersistenceError`, or
  ///   `CancellationError`.
  public func undo(_ key: IdempotencyKey) async throws {
    guard let ticket = session.current else { throw SessionError.signedOut }
    let entry = try await persistence.read { try $0.outboxEntry(key, of: ticket.account) }
    guard let entry else { throw OutboxError.notFound(key) }
    try await remove(entry, as: ticket)
  }
}

extension RemoteFailure.Kind {
  /// Whether the server, or the app itself, has certainly not applied the mutation.
  fileprivate var isRefusal: Bool {
    switch self {
    case .rejected, .conflict, .unsendable: true
    case .unreachable, .timedOut, .busy, .serverFault, .unauthorized, .garbled, .unknown: false
    }
  }
}
