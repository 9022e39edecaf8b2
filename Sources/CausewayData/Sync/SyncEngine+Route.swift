import Foundation

extension SyncEngine {
  /// The functions by which the outbox sends and shows the mutations of a table.
  ///
  /// They hold no engine, so the outbox sends the mutations even after the engine is gone.
  static func route(_ source: Source, _ table: SyncedTable<Record>) -> OutboxRoute {
    OutboxRoute(
      send: { entry in
        try await source.apply(
          try decode(entry),
          MutationRequest(
            account: entry.account, scope: entry.scope, key: entry.key, attempts: entry.attempts))
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
            // An earlier version of the app may have shown the entry. Its record is not known to
            // this version, so all pending records of the scope are shown anew.
            ids[place, default: []].formUnion(
              try table.pendingIDs(entry.account, entry.scope, in: transaction))
          }
        }
        for (place, ids) in ids {
          try table.show(
            ids, as: Source.Mutation.self, place.account, place.scope, in: transaction)
        }
      })
  }

  private static func decode(_ entry: OutboxEntry) throws -> Source.Mutation {
    do {
      return try JSONDecoder().decode(Source.Mutation.self, from: entry.payload)
    } catch {
      throw RemoteFailure(.unsendable, "The stored mutation cannot be read: \(error)")
    }
  }
}
