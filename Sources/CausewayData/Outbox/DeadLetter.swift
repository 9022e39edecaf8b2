public import Foundation

/// A mutation that was refused for good, kept to be shown to the user and to be sent again.
public struct DeadLetter: Codable, Sendable, Equatable, Identifiable {
  /// The place that the entry had in the order of the outbox.
  public var sequence: Int64
  /// The key under which it was sent.
  public var key: IdempotencyKey
  /// Whose mutation it was.
  public var account: AccountID
  /// What it belonged to.
  public var collection: String
  /// The scope in which it kept its order.
  public var scope: SyncScope
  /// The kind of mutation.
  public var kind: String
  /// The encoded mutation.
  public var payload: Data
  /// How often it was sent, including the attempt that was refused.
  public var attempts: Int
  /// When the caller stored it.
  public var created: Date
  /// When it was refused.
  public var rejected: Date
  /// The class of the error that refused it.
  public var reason: RemoteFailure.Kind
  /// The error in words.
  public var message: String

  /// The idempotency key.
  public var id: IdempotencyKey { key }
}
