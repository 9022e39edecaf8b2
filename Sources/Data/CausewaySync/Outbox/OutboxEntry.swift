public import CausewayBasics
public import CausewayNetwork
public import Foundation

/// A stored mutation that the outbox sends to the server.
public struct OutboxEntry: Codable, Sendable, Equatable, Identifiable {
  /// The progress of an entry.
  public enum State: String, Codable, Sendable {
    /// Not sent, or sent without a final answer.
    case waiting
    /// The server has the mutation, but its reads may not show it yet.
    case acknowledged
  }

  /// The position in the order of all entries; never used twice.
  public var sequence: Int64
  /// The identity of the mutation, the same in each attempt.
  public var key: IdempotencyKey
  /// The account that stored the mutation.
  public var account: AccountID
  /// The collection, by which the outbox finds the sender: a synced table, or a name of your own.
  public var collection: String
  /// Entries of one scope are sent one after the other, in their order.
  public var scope: SyncScope
  /// The kind of mutation, to be shown in a list of entries.
  public var kind: String
  /// The encoded mutation.
  public var payload: Data
  /// The number of failed attempts.
  public var attempts: Int
  /// The number of failures of each kind, as ``FailureCounts`` writes it.
  package var failures = ""
  /// The earliest date of the next attempt; `nil` for an immediate attempt.
  package var nextAttempt: Date?
  /// The date on which the caller stored the mutation.
  public var created: Date
  /// The progress of the entry.
  public var state: State
  /// The version of the server's data that contains the mutation; `nil` while it is unknown.
  public var version: SyncVersion?

  /// The number of attempts that failed with an error of the server itself, such as status 500.
  ///
  /// It does not count attempts that did not reach the server. The number is reset when the server
  /// has stored a part of an upload.
  public var serverFaults: Int { FailureCounts(text: failures)[.serverFault] }

  /// The idempotency key.
  public var id: IdempotencyKey { key }
}
