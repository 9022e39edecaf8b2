/// How the entries of a collection are sent and shown.
struct OutboxRoute: Sendable {
  /// Sends an entry.
  ///
  /// Must end soon after its task is cancelled.
  var send: @concurrent @Sendable (OutboxEntry) async throws -> MutationReceipt

  /// Whether stored data shows the entry already; runs in the transaction that stores the receipt.
  var isCovered:
    @Sendable (OutboxEntry, SyncVersion, any ReadTransaction) throws(PersistenceError) -> Bool =
      { _, _, _ throws(PersistenceError) in false }

  /// Updates what is shown of the entry's record; runs in the transaction that has added or removed the entry.
  var show: @Sendable (OutboxEntry, any WriteTransaction) throws(PersistenceError) -> Void =
    { _, _ throws(PersistenceError) in }
}

/// What happened to an entry, as its observers are told.
enum OutboxChange: Sendable, Equatable {
  /// A new entry with this sequence number is stored.
  case stored(Int64)
  /// The server has the mutation. `isReadSoon` when the read that shows it is to store the receipt.
  case acknowledged(isReadSoon: Bool)
  /// The receipt is stored; `isCovered` when nothing has to be read for the mutation any more.
  case saved(isCovered: Bool)
  case failed(RemoteFailure)
  case rejected(RemoteFailure)
  case removed
}
