import CausewayBasics
import CausewayDatabase
import CausewayNetwork
import Foundation

/// How the entries of a collection are sent and shown.
struct OutboxRoute: Sendable {
  /// The results for the entries of a request, in order.
  ///
  /// If an entry has no result, the server has not processed it.
  typealias Results = [Result<MutationReceipt, RemoteFailure>]

  /// The greatest ``batchLimit``, because a statement has one variable for each entry of a request.
  static let greatestBatchLimit = 1_000

  /// The largest number of entries of a request.
  var batchLimit = 1

  /// Whether the outbox's timeout limits a request.
  ///
  /// Otherwise the sender limits its own requests.
  var limitsTime = true

  /// Sends entries of one scope in one request.
  ///
  /// It must end soon after its task is cancelled.
  var send: @concurrent @Sendable ([OutboxEntry]) async throws -> Results

  /// The rows that show the entries; `nil` if there are none.
  ///
  /// With rows, an acknowledged entry stays pending until an engine has read its scope.
  var rows: (any OutboxRows)?

  /// Called after a mutation was sent, undone, discarded or dropped.
  ///
  /// It is not called after a read has covered a mutation, or after a logout. It must not block.
  var ended: @Sendable (EndedMutation) -> Void = { _ in }
}

/// The rows that show the entries of a collection.
protocol OutboxRows: Sendable {
  /// Whether stored data contains the entry; runs in the transaction that stores the receipt.
  func isCovered(
    _ entry: OutboxEntry, by version: SyncVersion, in transaction: any ReadTransaction
  ) throws(PersistenceError) -> Bool

  /// Updates the shown rows of the entries' records.
  ///
  /// It runs in the transaction that has added or removed the entries.
  func show(
    _ entries: [OutboxEntry], _ transaction: any WriteTransaction
  ) throws(PersistenceError)

  /// Whether shown rows are marked, because they may not match the pending mutations.
  func areMarked(_ transaction: any ReadTransaction) throws(PersistenceError) -> Bool

  /// Updates the marked rows.
  func showMarked(_ transaction: any WriteTransaction) throws(PersistenceError)
}

/// A mutation that has no entry and no dead letter any more.
struct EndedMutation: Sendable {
  var account: AccountID
  var key: IdempotencyKey
  /// `nil` if the mutation is sent again with another key and the same payload.
  var payload: Data?
}

/// A change of an entry, as its observers receive it.
enum OutboxChange: Sendable, Equatable {
  /// A new entry with this sequence number is stored.
  case stored(Int64)
  /// The server has the mutation.
  ///
  /// `isReadSoon` is true if a read is expected soon, which will also store the receipt.
  case acknowledged(isReadSoon: Bool)
  /// The receipt is stored.
  ///
  /// `isCovered` is true if the mutation needs no further read.
  case saved(isCovered: Bool)
  case failed(RemoteFailure)
  case rejected(RemoteFailure)
  case removed
}
