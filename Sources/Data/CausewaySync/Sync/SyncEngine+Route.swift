import CausewayBasics
import CausewayDatabase
import Foundation

extension SyncEngine {
  /// How the outbox sends and shows the mutations of a table.
  ///
  /// It does not retain the engine, and the outbox can send the mutations after the engine was
  /// released.
  static func route(_ source: Source, _ table: SyncedTable<Record>) -> OutboxRoute {
    OutboxRoute(
      batchLimit: max(source.batchLimit, 1),
      send: { entries in
        var batch: [BatchedMutation<Source.Mutation>] = []
        var broken: OutboxRoute.Results = []
        for entry in entries {
          do throws(RemoteFailure) {
            batch.append(BatchedMutation(try Source.Mutation(entry), MutationRequest(entry)))
          } catch {
            broken = [.failure(error)]
            break
          }
        }
        let results: OutboxRoute.Results
        switch batch.count {
        case 0: results = []
        case 1: results = [.success(try await source.apply(batch[0].mutation, batch[0].request))]
        default: results = try await source.applyBatch(batch)
        }
        // The entries after a broken entry are sent again, which keeps the order.
        return results.count < batch.count ? results : results.prefix(batch.count) + broken
      },
      rows: MutationRows<Source.Mutation>(table: table))
  }
}

/// The rows of a table, with the mutations that the outbox contains.
private struct MutationRows<M: Mutation>: OutboxRows {
  let table: SyncedTable<M.Record>

  func isCovered(
    _ entry: OutboxEntry, by version: SyncVersion, in transaction: any ReadTransaction
  ) throws(PersistenceError) -> Bool {
    let request = SyncRequest(account: entry.account, scope: entry.scope)
    guard let stored = try table.version(request, in: transaction) else { return false }
    return stored >= version
  }

  func show(
    _ entries: [OutboxEntry], _ transaction: any WriteTransaction
  ) throws(PersistenceError) {
    var ids: [SyncRequest: Set<M.Record.ID>] = [:]
    for entry in entries {
      let place = SyncRequest(account: entry.account, scope: entry.scope)
      if let mutation = try? M(entry) {
        ids[place, default: []].insert(mutation.recordID)
      } else {
        // An earlier version of the app may have shown the entry. This version does not know the
        // entry's record, so it updates the shown rows of all pending records of the scope.
        ids[place, default: []].formUnion(
          try table.pendingIDs(entry.account, entry.scope, in: transaction))
      }
    }
    for (place, ids) in ids {
      try table.show(ids, as: M.self, place.account, place.scope, in: transaction)
    }
  }

  func areMarked(_ transaction: any ReadTransaction) throws(PersistenceError) -> Bool {
    try !table.markedRows(in: transaction).isEmpty
  }

  func showMarked(_ transaction: any WriteTransaction) throws(PersistenceError) {
    for row in try table.markedRows(in: transaction) {
      try table.show([row.record.id], as: M.self, row.account, row.scope, in: transaction)
    }
  }
}

extension Mutation {
  fileprivate init(_ entry: OutboxEntry) throws(RemoteFailure) {
    do {
      self = try JSONDecoder().decode(Self.self, from: entry.payload)
    } catch {
      throw RemoteFailure(.unsendable, "The stored mutation cannot be read: \(error)")
    }
  }
}

extension MutationRequest {
  fileprivate init(_ entry: OutboxEntry) {
    self.init(
      account: entry.account, scope: entry.scope, key: entry.key, attempts: entry.attempts)
  }
}
