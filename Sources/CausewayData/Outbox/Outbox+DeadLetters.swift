extension Outbox {
  /// The mutations that were refused for good, in order.
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

  /// Sends a dead letter again, behind all entries and under a new key.
  ///
  /// - Returns: The new key.
  /// - Throws: `OutboxError.notFound`, `SessionError`, `PersistenceError` or `CancellationError`.
  @discardableResult
  public func resend(_ key: IdempotencyKey) async throws -> IdempotencyKey {
    guard let ticket = session.current else { throw SessionError.signedOut }
    let revived = IdempotencyKey()
    let entry = try await persistence.write(as: ticket) { [self] transaction in
      guard let letter = try transaction.deadLetter(key, of: ticket.account) else {
        throw OutboxError.notFound(key)
      }
      try transaction.reviveDeadLetter(letter, as: revived)
      guard let entry = try transaction.outboxEntry(revived, of: ticket.account) else {
        throw OutboxError.notFound(revived)
      }
      try route(for: entry.collection)?.show(entry, transaction)
      return entry
    }
    inbox.send(.stored, once: .stored)
    tell(.stored, about: entry)
    return revived
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
    guard ticket == self.ticket, machine.hold(entry.sequence) else {
      throw OutboxError.alreadySent(key)
    }
    do {
      let route = route(for: entry.collection)
      try await persistence.write(as: ticket) { transaction in
        try transaction.removeEntry(entry.sequence)
        try route?.show(entry, transaction)
      }
    } catch {
      perform(machine.release(entry.sequence, now: environment.now()))
      throw error
    }
    handle(.gone(entry.sequence))
    tell(.removed, about: entry)
  }
}
