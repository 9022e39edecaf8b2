public import CausewayBasics
public import CausewayDatabase
public import CausewayNetwork

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
  /// The observation is registered when this function returns. After a logout of the account, the
  /// observation yields no entries. After another sign-in, observe again.
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
  public nonisolated func rejections() -> AsyncStream<DeadLetter> { registry.rejections() }

  /// Yields each dead letter that is removed because there are too many.
  ///
  /// The stream is registered when this returns, so it yields every dead letter that is removed
  /// later.
  public nonisolated func droppedDeadLetters() -> AsyncStream<DeadLetter> {
    registry.droppedDeadLetters()
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

// MARK: Accounts that are not signed in

extension Outbox {
  /// The number of unsent mutations and dead letters of each account that is not signed in.
  ///
  /// The server has ended the session of such an account, or another account has signed in. Its
  /// mutations and dead letters stay. They are sent after the account has signed in again. No other
  /// account sees them. ``removeData(of:)`` removes them.
  ///
  /// - Throws: `PersistenceError` or `CancellationError`.
  /// - Complexity: O(entries).
  public func unsentCounts() async throws -> [AccountID: Int] {
    struct Count: Decodable, Sendable {
      var account: AccountID
      var count: Int
    }
    let current = session.current?.account
    let counts = try await persistence.read { transaction in
      try transaction.rows(
        """
        SELECT account, count(*) AS count FROM (
          SELECT account FROM sync_outbox WHERE state = \(OutboxEntry.State.waiting)
          UNION ALL SELECT account FROM sync_dead_letter)
        GROUP BY account
        """, as: Count.self)
    }
    return Dictionary(
      counts.filter { $0.account != current }.map { ($0.account, $0.count) },
      uniquingKeysWith: +)
  }

  /// Removes the mutations, the dead letters and the synced rows of an account that is not signed in.
  ///
  /// Call it only if a person decides so: the server never gets the mutations.
  ///
  /// - Throws: `OutboxError.signedIn` for the account that is signed in; `PersistenceError`, also if
  ///   files still contain remains of the removed rows; `CancellationError`.
  public func removeData(of account: AccountID) async throws {
    let removed = try await persistence.write { [session] transaction in
      guard session.current?.account != account else { throw OutboxError.signedIn(account) }
      return try transaction.removeData(of: account)
    }
    for mutation in removed {
      registry.end(mutation.collection, account, mutation.key, mutation.payload)
    }
    try await persistence.erase(after: .only(account))
  }
}
