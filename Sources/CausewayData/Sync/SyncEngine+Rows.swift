extension SyncEngine {
  /// The records of the scope as they are shown, for the account that is signed in.
  ///
  /// - Parameters:
  ///   - policy: Where they come from. What is read behind arrives where rows are observed, while
  ///     the engine runs.
  ///   - condition: Which of them, as in SQL's `WHERE`; `nil` for all.
  ///   - order: Their order, as in SQL's `ORDER BY`; by default that of their identifiers.
  /// - Throws: `SessionError.signedOut`, `PersistenceError`, `CancellationError`, and what `refresh`
  ///   throws if the policy waits for the server.
  public func rows(
    _ policy: ReadPolicy = .cacheFirst, where condition: SQL? = nil, orderedBy order: SQL? = nil
  ) async throws -> [Synced<Record>] {
    guard let ticket = outbox.session.current else { throw SessionError.signedOut }
    let request = SyncRequest(account: ticket.account, scope: scope)
    let isStored = try await outbox.persistence.read { [table] in
      try table.version(request, in: $0) != nil
    }
    if policy.waitsForNetwork(isStored: isStored) {
      try await refresh()
    } else if policy.refreshesBehind(isStored: isStored) {
      refreshBehind()
    }
    let query = query(condition, order, account: ticket.account)
    return try await outbox.persistence.read { transaction in
      try ticket.check()
      return try transaction.rows(query, as: Synced<Record>.self)
    }
  }

  /// The records of the scope as they are shown, now and after each commit that changes them.
  ///
  /// Registered when this returns. They are those of the account that is signed in at that moment:
  /// its logout empties them, and after another sign-in they have to be observed anew.
  ///
  /// - Parameters:
  ///   - condition: Which of them, as in SQL's `WHERE`; `nil` for all.
  ///   - order: Their order, as in SQL's `ORDER BY`; by default that of their identifiers.
  public nonisolated func observe(
    where condition: SQL? = nil, orderedBy order: SQL? = nil
  ) -> LiveQuery<Synced<Record>> {
    outbox.persistence.observe(
      query(condition, order, account: outbox.session.current?.account),
      as: Synced<Record>.self)
  }

  private nonisolated func query(
    _ condition: SQL?, _ order: SQL?, account: AccountID?
  ) -> SQL {
    let order = order ?? "\(identifier: table.key)"
    let condition: SQL = condition.map { "AND (\($0))" } ?? ""
    // Without an account, the comparison with NULL selects no rows.
    return """
      SELECT * FROM \(identifier: table.name)
      WHERE syncAccount = \(account) AND syncScope = \(scope) \(condition) ORDER BY \(order)
      """
  }
}
