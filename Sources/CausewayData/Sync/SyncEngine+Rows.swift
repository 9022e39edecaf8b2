extension SyncEngine {
  /// Returns the shown records of the scope, for the account that is signed in.
  ///
  /// - Parameters:
  ///   - policy: Whether to read from the server. If the policy reads in the background, observers
  ///     get the new rows while the engine runs.
  ///   - condition: A filter as in SQL's `WHERE`; `nil` for all records.
  ///   - order: The order as in SQL's `ORDER BY`; the default is the order of the identifiers.
  /// - Throws: `SessionError.signedOut`, `PersistenceError`, or `CancellationError`. If the policy
  ///   waits for the server, also the errors of `refresh`.
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

  /// Observes the shown records of the scope: yields them now and after each commit that changes
  /// them.
  ///
  /// The observation is registered when this returns. It is bound to the account that is signed in
  /// at that moment: its logout empties the records. After another sign-in, observe again.
  ///
  /// - Parameters:
  ///   - condition: A filter as in SQL's `WHERE`; `nil` for all records.
  ///   - order: The order as in SQL's `ORDER BY`; the default is the order of the identifiers.
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
