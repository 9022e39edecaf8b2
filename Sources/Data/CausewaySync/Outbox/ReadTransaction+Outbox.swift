import CausewayBasics
import CausewayDatabase
import CausewayNetwork
import Foundation

extension ReadTransaction {
  /// The entries that wait to be sent, after a sequence number.
  ///
  /// - Complexity: O(log entries + entries after the sequence number).
  func waitingEntries(
    of account: AccountID, after sequence: Int64
  ) throws(PersistenceError) -> [WaitingEntry] {
    try rows(
      """
      SELECT sequence, collection, scope, attempts, failures, nextAttempt, requires FROM sync_outbox
      WHERE \(SQL.isWaiting(of: account)) AND sequence > \(sequence) ORDER BY sequence
      """, as: WaitingEntry.self)
  }

  /// The entries that wait to be sent, beginning with a sequence number.
  ///
  /// - Parameters:
  ///   - count: The largest number of entries.
  ///   - bytes: The largest total size of the payloads; the first entry is returned whatever its
  ///     size.
  /// - Complexity: O(log entries + count), without the entries of other accounts.
  func waitingEntries(
    from sequence: Int64, of account: AccountID, count: Int, bytes: Int
  ) throws(PersistenceError) -> [OutboxEntry] {
    try rows(
      """
      SELECT \(SQL.entryColumns) FROM (
        SELECT *, sum(length(payload)) OVER (ORDER BY sequence) AS total FROM (
          SELECT * FROM sync_outbox
          WHERE \(SQL.isWaiting(of: account)) AND sequence >= \(sequence)
          ORDER BY sequence LIMIT \(count)))
      WHERE sequence = \(sequence) OR total <= \(bytes) ORDER BY sequence
      """, as: OutboxEntry.self)
  }

  /// The waiting entries with some given sequence numbers, in order.
  ///
  /// - Parameter bytes: The largest total size of the payloads; the first entry is returned
  ///   whatever its size.
  func waitingEntries(
    _ sequences: [Int64], of account: AccountID, bytes: Int
  ) throws(PersistenceError) -> [OutboxEntry] {
    try rows(
      """
      SELECT \(SQL.entryColumns) FROM (
        SELECT *, sum(length(payload)) OVER (ORDER BY sequence) AS total FROM sync_outbox
        WHERE sequence IN \(list: sequences)
        AND account = \(account) AND state = \(OutboxEntry.State.waiting))
      WHERE sequence = \(sequences[0]) OR total <= \(bytes) ORDER BY sequence
      """, as: OutboxEntry.self)
  }

  func outboxEntry(
    _ key: IdempotencyKey, of account: AccountID
  ) throws(PersistenceError) -> OutboxEntry? {
    try row(
      "SELECT \(SQL.entryColumns) FROM sync_outbox WHERE \(SQL.isKey(key, of: account))",
      as: OutboxEntry.self)
  }

  func deadLetter(
    _ key: IdempotencyKey, of account: AccountID
  ) throws(PersistenceError) -> DeadLetter? {
    try row(
      """
      SELECT \(SQL.deadLetterColumns) FROM sync_dead_letter
      WHERE \(SQL.isKey(key, of: account))
      """, as: DeadLetter.self)
  }
}

/// The fields that decisions need, for a waiting entry.
struct WaitingEntry: Decodable, Sendable {
  var sequence: Int64
  var collection: String
  var scope: SyncScope
  var attempts: Int
  /// The number of failures of each kind, as ``FailureCounts`` writes it.
  var failures: String
  var nextAttempt: Date?
  /// The entries that the server must have before this one, as ``EntryList`` writes them.
  var requires: String
}

extension SQL {
  /// The condition of a partial index.
  ///
  /// SQLite uses the index only for exactly this literal.
  static let isAcknowledged: SQL = "state = 'acknowledged'"

  /// The condition for the waiting entries of an account, in queries that sort by `sequence`.
  ///
  /// The plus sign excludes the indexes that begin with the account. With such an index, SQLite
  /// would read and sort all entries of the account, also for a query with a limit.
  static func isWaiting(of account: AccountID) -> SQL {
    "+account = \(account) AND state = \(OutboxEntry.State.waiting)"
  }

  static let entryColumns: SQL = """
    sequence, \(key), account, collection, scope, kind, payload, attempts, failures, nextAttempt,
    created, state, version
    """

  static let deadLetterColumns: SQL = """
    sequence, \(key), account, collection, scope, kind, payload, attempts, created, rejected,
    reason, message, cause
    """
}
