import CausewayDatabase
import CausewayRetries
import Foundation

extension SyncEngine {
  /// The functions with which the outbox sends and shows the mutations of a table.
  ///
  /// They do not retain the engine, and the outbox can send the mutations after the engine was
  /// released.
  static func route(_ source: Source, _ table: SyncedTable<Record>) -> OutboxRoute {
    OutboxRoute(
      batchLimit: max(source.batchLimit, 1),
      needsReads: true,
      send: { entries in
        var batch: [BatchedMutation<Source.Mutation>] = []
        var broken: OutboxRoute.Results = []
        for entry in entries {
          do throws(RemoteFailure) {
            batch.append(BatchedMutation(try decode(entry), MutationRequest(entry)))
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
      isCovered: { entry, version, transaction throws(PersistenceError) in
        let request = SyncRequest(account: entry.account, scope: entry.scope)
        guard let stored = try table.version(request, in: transaction) else { return false }
        return stored >= version
      },
      show: { entries, transaction throws(PersistenceError) in
        var ids: [SyncRequest: Set<Record.ID>] = [:]
        for entry in entries {
          let place = SyncRequest(account: entry.account, scope: entry.scope)
          if let mutation = try? decode(entry) {
            ids[place, default: []].insert(mutation.recordID)
          } else {
            // An earlier version of the app may have shown the entry. This version does not know
            // the entry's record, so it updates the shown rows of all pending records of the scope.
            ids[place, default: []].formUnion(
              try table.pendingIDs(entry.account, entry.scope, in: transaction))
          }
        }
        for (place, ids) in ids {
          try table.show(
            ids, as: Source.Mutation.self, place.account, place.scope, in: transaction)
        }
      },
      hasMarkedRows: { transaction throws(PersistenceError) in
        try !table.markedRows(in: transaction).isEmpty
      },
      showMarkedRows: { transaction throws(PersistenceError) in
        for row in try table.markedRows(in: transaction) {
          try table.show(
            [row.record.id], as: Source.Mutation.self, row.account, row.scope, in: transaction)
        }
      })
  }

  private static func decode(_ entry: OutboxEntry) throws(RemoteFailure) -> Source.Mutation {
    do {
      return try JSONDecoder().decode(Source.Mutation.self, from: entry.payload)
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
