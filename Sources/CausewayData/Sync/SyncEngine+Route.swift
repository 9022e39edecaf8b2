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
      show: { entry, transaction throws(PersistenceError) in
        // If this version of the app cannot decode the entry, an earlier version may have shown it.
        // Its record is not known then, so all pending records of the scope are shown anew.
        let ids =
          if let mutation = try? decode(entry) {
            Set([mutation.recordID])
          } else {
            try table.pendingIDs(entry.account, entry.scope, in: transaction)
          }
        try table.show(
          ids, as: Source.Mutation.self, entry.account, entry.scope, in: transaction)
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
