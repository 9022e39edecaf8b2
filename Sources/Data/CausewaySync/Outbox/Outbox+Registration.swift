public import CausewayBasics
import CausewayDatabase
import CausewaySystem

extension Outbox {
  /// Starts to send, and continues until the outbox is released.
  ///
  /// A second call does nothing.
  public nonisolated func start() { loop.start(self) }

  /// Sends in the caller's task until that task is cancelled.
  ///
  /// Use it in your own task group. Call either this function or `start`, and only once.
  public nonisolated func run() async { await loop.run { self } }

  /// Sets how the entries of a collection are sent; replaces an earlier sender.
  ///
  /// Without a sender, the entries of a collection wait. Entries of other collections overtake
  /// them, even in the same scope. A ``SyncEngine`` registers its own sender. Without an engine no
  /// read would confirm a mutation, so every receipt counts as ``MutationReceipt/final``.
  ///
  /// - Parameters:
  ///   - collection: The collection's name.
  ///   - send: Sends an entry with its idempotency key, and returns after the server has accepted
  ///     the mutation. It is not isolated to an actor, and runs concurrently for different scopes.
  ///     It must end soon after its task is cancelled. ``RemoteFailure/init(_:)`` classifies its
  ///     errors.
  public nonisolated func register(
    _ collection: String,
    send: @escaping @concurrent @Sendable (OutboxEntry) async throws -> MutationReceipt
  ) {
    register(
      collection,
      OutboxRoute(send: { entries in
        _ = try await send(entries[0])
        return [.success(.final)]
      }))
  }

  /// Sets how the entries of a collection are sent, with several entries in one request.
  ///
  /// The entries of a request belong to one scope and are in order. The server must process them in
  /// this order, and each key only once. It must stop at the first entry that it can only process
  /// later.
  ///
  /// - Parameters:
  ///   - collection: The collection's name.
  ///   - limit: The largest number of entries of a request, at least 1. A limit above 1,000 counts
  ///     as 1,000. The payloads of a request have at most 512 KiB together, unless a single payload
  ///     is larger.
  ///   - send: Sends entries, and returns the result of each in order. Entries without a result are
  ///     sent again at once. If a request of several entries fails as a whole and the entries may be
  ///     the reason, they are sent one by one. After a timeout the next requests are half as large.
  public nonisolated func register(
    _ collection: String, batchesOf limit: Int,
    send:
      @escaping @concurrent @Sendable ([OutboxEntry]) async throws -> [Result<
        MutationReceipt, RemoteFailure
      >]
  ) {
    precondition(limit > 0, "A request has at least one entry.")
    register(
      collection,
      OutboxRoute(
        batchLimit: limit,
        send: { entries in try await send(entries).map { $0.map { _ in .final } } }))
  }

  nonisolated func register(_ collection: String, _ route: OutboxRoute) {
    var route = route
    route.batchLimit = min(route.batchLimit, OutboxRoute.greatestBatchLimit)
    registry.setRoute(route, for: collection)
    loop.send(.registered(collection))
  }

  /// Immediately sends all entries that wait for a retry, for example when a connection is back.
  public nonisolated func retryNow() {
    loop.send(.retryRequested)
  }
}

extension Outbox {
  /// Removes the rows of accounts that are signed out.
  ///
  /// The session service holds the participant, so a logout removes the rows even if no outbox
  /// exists.
  static func participant(_ persistence: any PersistenceService) -> SessionParticipant {
    SessionParticipant(
      "outbox and synced tables",
      expire: { account in try await persistence.write { try $0.expire(account) } },
      erase: { wipe in try await persistence.erase(after: wipe) },
      wipe: { wipe in try await persistence.write { try $0.wipe(wipe) } })
  }
}
