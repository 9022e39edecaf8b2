/// Reads a scope from the server and stores what it answers.
struct SyncReader<Source: RemoteSource>: Sendable {
  typealias Record = Source.Mutation.Record

  /// What is stored after a read.
  struct Outcome: Sendable {
    /// Whether entries are left that the server has acknowledged.
    var isBehind: Bool
    var pending: PendingCount
  }

  let source: Source
  let table: SyncedTable<Record>
  let scope: SyncScope
  let outbox: Outbox

  /// Reads until there is no more, page by page.
  func read(as ticket: SessionTicket, _ attempt: Attempt) async throws -> Outcome {
    let request = SyncRequest(account: ticket.account, scope: scope)
    var needsSnapshot = false
    while true {
      // Receipts first: one that is stored meanwhile is found in the table.
      let acknowledged = await outbox.unversionedReceipts(table.name, scope)
      var start = try await outbox.persistence.read { [table] in
        try table.start(request, in: $0)
      }
      start.shown += acknowledged
      let since = needsSnapshot || start.needsSnapshot ? nil : start.version
      let response = try await attempt.perform(timeout: outbox.timeout, outbox.driver.environment) {
        try await ticket.run { try await ask(request, since: since) }
      }
      guard let (answer, hasMore) = response else {
        needsSnapshot = true
        continue
      }
      // What is shown from the next read on is on one of the pages, the last one at the latest.
      let (isStored, outcome) = try await store(
        answer, to: request, from: hasMore ? start.beforeLastPage : start, as: ticket)
      // Changes that say that there are more are asked for on from where they ended. A response
      // that was overtaken is as good as none: what overtook it is newer.
      guard hasMore, isStored else { return outcome }
      needsSnapshot = false
    }
  }

  /// Stores a response if the session of its request goes on; see ``SyncedTable``.
  ///
  /// Receipts are stored before it in the same transaction, and what is left is counted after it.
  private func store(
    _ answer: ReadAnswer<Record>, to request: SyncRequest, from start: ReadStart,
    as ticket: SessionTicket
  ) async throws -> (isStored: Bool, Outcome) {
    try await outbox.write(as: ticket, withReceiptsOf: table.name, scope) { [table] transaction in
      let isStored = try table.store(
        answer, to: request, from: start, as: Source.Mutation.self, in: transaction)
      let outcome = Outcome(
        isBehind: try table.isBehind(request, in: transaction),
        pending: try table.pendingCount(request, in: transaction))
      return (isStored, outcome)
    }
  }

  /// Asks for changes, or for all records; `nil` when there are no changes to be had.
  @concurrent private func ask(
    _ request: SyncRequest, since version: SyncVersion?
  ) async throws -> (ReadAnswer<Record>, hasMore: Bool)? {
    guard let version else {
      return (.snapshot(try await source.snapshot(request)), false)
    }
    switch try await source.changes(since: version, request) {
    case .snapshotNeeded:
      return nil
    case .changes(let records, let deleted, let next, let hasMore):
      guard next > version || (next == version && !hasMore) else {
        throw RemoteFailure(
          .garbled, "Changes since version \(version) lead to version \(next), hasMore: \(hasMore)")
      }
      return (.changes(records, deleted: deleted, version: next), hasMore)
    }
  }
}
