import Foundation

extension SyncEngine {
  /// How the outbox sends the mutations of a table; holds no engine, so that they are sent even after
  /// the engine has gone.
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
        // One that this version of the app cannot read may have been shown by an earlier one. It
        // does not say any more which record it changes, so that all of the scope are shown anew.
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
