public import Foundation

/// A mutation on its way to the server, as the outbox stores it.
public struct OutboxEntry: Codable, Sendable, Equatable, Identifiable {
  /// How far an entry has come.
  public enum State: String, Codable, Sendable {
    /// Not sent, or sent without an answer that counts.
    case waiting
    /// The server has it, and what it answers to reads may not show it yet.
    case acknowledged
  }

  /// The place in the order of all entries; never used twice.
  public var sequence: Int64
  /// What makes it the same mutation, however often it is sent.
  public var key: IdempotencyKey
  /// Whose mutation it is.
  public var account: AccountID
  /// What it belongs to, by which its sender is found: a synced table, or a name of your own.
  public var collection: String
  /// Entries of one scope are sent one after the other, in their order.
  public var scope: SyncScope
  /// The kind of mutation, to be shown in a list of entries.
  public var kind: String
  /// The encoded mutation.
  public var payload: Data
  /// How often it was sent without success.
  public var attempts: Int
  /// When it may be sent again; `nil` for at once.
  public var nextAttempt: Date?
  /// When the caller handed it in.
  public var created: Date
  /// How far it has come.
  public var state: State
  /// The version of the server's data that shows it; `nil` until the server has named one.
  public var version: SyncVersion?

  /// The idempotency key.
  public var id: IdempotencyKey { key }
}
