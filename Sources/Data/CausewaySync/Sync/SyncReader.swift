import CausewayBasics
import CausewayDatabase
import CausewayNetwork

/// Reads a scope from the server and stores the responses.
struct SyncReader<Source: RemoteSource>: Sendable {
  typealias Record = Source.Mutation.Record

  /// The state of the stored data after a read.
  struct Outcome: Sendable {
    /// Whether acknowledged entries are left.
    var isBehind: Bool
    var pending: PendingCount
  }

  let source: Source
  let table: SyncedTable<Record>
  let scope: SyncScope
  let outbox: Outbox

  /// Reads page by page until there are no more changes.
  func read(as ticket: SessionTicket, _ attempt: Attempt) async throws -> Outcome {
    let request = SyncRequest(account: ticket.account, scope: scope)
    var needsSnapshot = false
    while true {
      // Receipts are read before the table. If a receipt is stored in the meantime, it is found in
      // the table.
      let acknowledged = await outbox.unversionedReceipts(table.name, scope)
      var start = try await outbox.persistence.read { [table] in
        try table.start(request, in: $0)
      }
      start.shown += acknowledged
      let since = needsSnapshot || start.needsSnapshot ? nil : start.version
      let response = try await attempt.perform(timeout: outbox.timeout, outbox.loop.surroundings) {
        try await ServerContact.$current.withValue(outbox.contact) {
          try await ticket.run { try await ask(request, since: since) }
        }
      }
      guard let (answer, hasMore) = response else {
        needsSnapshot = true
        continue
      }
      // An earlier page may not contain these mutations yet. All pages together contain them.
      let (isStored, outcome) = try await store(
        answer, to: request, from: hasMore ? start.beforeLastPage : start, as: ticket)
      // If there are more changes, the next request starts where this response ended. If a response
      // was not stored, a newer response was stored instead, and reading can end.
      guard hasMore, isStored else { return outcome }
      needsSnapshot = false
    }
  }

  /// Stores a response if the session of its request is still current; see ``SyncedTable``.
  ///
  /// The same transaction stores receipts before the response, and counts the remaining entries
  /// after it.
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

  /// Requests changes or all records; returns `nil` if the server needs a snapshot request.
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
