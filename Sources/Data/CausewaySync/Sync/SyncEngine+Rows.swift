import CausewayBasics
public import CausewayDatabase
public import CausewayNetwork

extension SyncEngine {
  /// Returns the shown records of the scope, for the signed-in account.
  ///
  /// - Parameters:
  ///   - policy: Whether to read from the server. If the policy reads in the background, observers
  ///     get the new rows while the engine is running.
  ///   - condition: A filter as in SQL's `WHERE`; `nil` for all records.
  ///   - order: The order as in SQL's `ORDER BY`; the default is the order of the identifiers.
  ///   - limit: The largest number of records; `nil` for all.
  /// - Throws: `SessionError.signedOut`, `PersistenceError`, or `CancellationError`. If the policy
  ///   waits for the server, also the errors of `refresh`.
  public func rows(
    _ policy: ReadPolicy = .cacheFirst, where condition: SQL? = nil, orderedBy order: SQL? = nil,
    limit: Int? = nil
  ) async throws -> [Synced<Record>] {
    guard let ticket = outbox.session.current else { throw SessionError.signedOut }
    let request = SyncRequest(account: ticket.account, scope: scope)
    // `cacheOnly` never uses the network, so it does not need this transaction.
    let isStored =
      if policy == .cacheOnly {
        true
      } else {
        try await outbox.persistence.read { [table] in
          try table.version(request, in: $0) != nil
        }
      }
    if policy.waitsForNetwork(isStored: isStored) {
      try await refresh()
    } else if policy.refreshesBehind(isStored: isStored) {
      refreshBehind()
    }
    let query = query(condition, order, limit, account: ticket.account)
    return try await outbox.persistence.read { transaction in
      try ticket.check()
      return try transaction.rows(query, as: Synced<Record>.self)
    }
  }

  /// Observes the shown records of the scope: yields them now and after each change.
  ///
  /// The observation is registered when this function returns. It belongs to the account that is
  /// signed in at that moment. After a logout of this account, the observation yields no records.
  /// After another sign-in, observe again.
  ///
  /// - Parameters:
  ///   - condition: A filter as in SQL's `WHERE`; `nil` for all records.
  ///   - order: The order as in SQL's `ORDER BY`; the default is the order of the identifiers.
  ///   - limit: The largest number of records; `nil` for all.
  public nonisolated func observe(
    where condition: SQL? = nil, orderedBy order: SQL? = nil, limit: Int? = nil
  ) -> LiveQuery<Synced<Record>> {
    outbox.persistence.observe(
      query(condition, order, limit, account: outbox.session.current?.account),
      as: Synced<Record>.self)
  }

  /// Returns one page of the shown records, for the signed-in account.
  ///
  /// A page begins after the last record of the previous page, and not at a row number. Therefore,
  /// records that are added or removed between two pages do not move other records to another page.
  ///
  /// ```swift
  /// var page = try await engine.page(of: 20, orderedBy: "title")
  /// while let last = page.last {
  ///   page = try await engine.page(of: 20, orderedBy: "title", after: last.record)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - limit: The largest number of records on the page, at least 1.
  ///   - columns: The columns to sort by. Records with equal values are sorted by identifier.
  ///     ``SyncedTable/migration(indexing:)`` makes an index for the columns.
  ///   - isDescending: Whether the largest values come first.
  ///   - condition: A filter as in SQL's `WHERE`; the same for all pages.
  ///   - previous: The last record of the previous page, as that page has it; `nil` for the first page.
  /// - Returns: The records in order; no records after the last page.
  /// - Throws: `SessionError.signedOut`, `PersistenceError` or `CancellationError`. The error is of
  ///   kind `statement` if the records do not have one of the columns.
  /// - Complexity: O(log records + records of the page) with an index, wherever the page begins.
  public func page(
    of limit: Int, orderedBy columns: String..., descending isDescending: Bool = false,
    where condition: SQL? = nil, after previous: Record? = nil
  ) async throws -> [Synced<Record>] {
    precondition(limit > 0, "A page has at least one record.")
    guard let ticket = outbox.session.current else { throw SessionError.signedOut }
    let hasKey = columns.contains { $0.lowercased() == table.key.lowercased() }
    let keys = hasKey ? columns : columns + [table.key]
    let terms: [SQL] = keys.map { isDescending ? "\(identifier: $0) DESC" : "\(identifier: $0)" }
    return try await outbox.persistence.read { [self, table] transaction in
      try ticket.check()
      var conditions: [SQL] = condition.map { ["(\($0))"] } ?? []
      let hasNulls = try table.hasNullable(keys, in: transaction)
      if let previous {
        conditions.append(
          SQL.rows(
            after: try SyncedTable.values(of: previous, keys), keys, isDescending: isDescending,
            hasNulls: hasNulls))
      }
      let filter: SQL? =
        conditions.isEmpty
        ? nil : conditions.dropFirst().reduce(conditions[0]) { "\($0) AND \($1)" }
      let query = query(filter, SQL.list(terms), limit, account: ticket.account)
      return try transaction.rows(query, as: Synced<Record>.self)
    }
  }

  private nonisolated func query(
    _ condition: SQL?, _ order: SQL?, _ limit: Int?, account: AccountID?
  ) -> SQL {
    let order = order ?? "\(identifier: table.key)"
    let condition: SQL = condition.map { "AND (\($0))" } ?? ""
    let end: SQL = limit.map { "LIMIT \($0)" } ?? ""
    // Without an account, this compares with NULL and selects no rows.
    return """
      SELECT * FROM \(identifier: table.name)
      WHERE syncAccount = \(account) AND syncScope = \(scope) \(condition) ORDER BY \(order) \(end)
      """
  }
}
