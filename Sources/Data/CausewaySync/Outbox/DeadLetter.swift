public import CausewayBasics
public import CausewayNetwork
public import Foundation

/// A refused mutation; the app can show it, send it again, or discard it.
public struct DeadLetter: Codable, Sendable, Equatable, Identifiable {
  /// The position that the entry had in the order of the outbox.
  public var sequence: Int64
  /// The idempotency key under which the outbox sent the mutation.
  public var key: IdempotencyKey
  /// The account that stored the mutation.
  public var account: AccountID
  /// The collection of the entry.
  public var collection: String
  /// The scope of the entry.
  public var scope: SyncScope
  /// The kind of mutation.
  public var kind: String
  /// The encoded mutation.
  public var payload: Data
  /// The number of attempts, including the attempt that was refused.
  public var attempts: Int
  /// The date on which the caller stored the mutation.
  public var created: Date
  /// The date on which the mutation was refused.
  public var rejected: Date
  /// The class of the last attempt's error.
  public var reason: RemoteFailure.Kind
  /// The description of the error.
  public var message: String
  /// The refused, undone or set-aside mutation that this mutation requires or follows.
  ///
  /// `nil` if this mutation was refused or set aside itself.
  public var cause: IdempotencyKey?

  /// The idempotency key.
  public var id: IdempotencyKey { key }
}

extension DeadLetter {
  init(
    _ entry: OutboxEntry, attempts: Int, _ failure: RemoteFailure, on date: Date,
    cause: IdempotencyKey?
  ) {
    self.init(
      sequence: entry.sequence, key: entry.key, account: entry.account,
      collection: entry.collection, scope: entry.scope, kind: entry.kind, payload: entry.payload,
      attempts: attempts, created: entry.created, rejected: date, reason: failure.kind,
      message: failure.message, cause: cause)
  }
}
