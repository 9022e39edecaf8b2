/// What an outbox needs to know about the entries of a collection.
package struct OutboxRoute: Sendable {
  /// Sends an entry.
  ///
  /// Must end soon after its task is cancelled.
  package var send: @concurrent @Sendable (OutboxEntry) async throws -> MutationReceipt

  /// Whether stored data shows the entry already; runs in the transaction that stores the receipt.
  package var isCovered:
    @Sendable (OutboxEntry, SyncVersion, any ReadTransaction) throws(PersistenceError) -> Bool =
      { _, _, _ throws(PersistenceError) in false }

  /// Shows the entry's record anew; runs in the transaction that has added or removed the entry.
  package var show: @Sendable (OutboxEntry, any WriteTransaction) throws(PersistenceError) -> Void =
    { _, _ throws(PersistenceError) in }
}

/// What happened to an entry, for those who show or await it.
package enum OutboxChange: Sendable, Equatable {
  case stored
  /// `isCovered` when nothing has to be read for it any more.
  case acknowledged(isCovered: Bool)
  case failed(RemoteFailure)
  case rejected(RemoteFailure)
  case removed
}
