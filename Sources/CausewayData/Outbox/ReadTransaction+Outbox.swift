import Foundation

extension ReadTransaction {
  /// The entries that wait to be sent, after a sequence number.
  func waitingEntries(
    of account: AccountID, after sequence: Int64
  ) throws(PersistenceError) -> [WaitingEntry] {
    try rows(
      """
      SELECT sequence, collection, scope, attempts, failures, nextAttempt, requires FROM sync_outbox
      WHERE account = \(account) AND state = \(OutboxEntry.State.waiting) AND sequence > \(sequence)
      ORDER BY sequence
      """, as: WaitingEntry.self)
  }

  /// The entries that wait to be sent, from a sequence number on.
  ///
  /// - Parameters:
  ///   - count: The most entries to return.
  ///   - bytes: The most bytes of payload to return; the first entry is returned whatever its size.
  func waitingEntries(
    from sequence: Int64, of account: AccountID, count: Int, bytes: Int
  ) throws(PersistenceError) -> [OutboxEntry] {
    try rows(
      """
      SELECT \(SQL.entryColumns) FROM (
        SELECT *, sum(length(payload)) OVER (ORDER BY sequence) AS total FROM (
          SELECT * FROM sync_outbox
          WHERE account = \(account) AND state = \(OutboxEntry.State.waiting)
          AND sequence >= \(sequence) ORDER BY sequence LIMIT \(count)))
      WHERE sequence = \(sequence) OR total <= \(bytes) ORDER BY sequence
      """, as: OutboxEntry.self)
  }

  /// The waiting entries with some sequence numbers, in order.
  ///
  /// - Parameter bytes: The most bytes of payload to return; the first entry is returned whatever
  ///   its size.
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
      "SELECT \(SQL.entryColumns) FROM sync_outbox WHERE key = \(key) AND account = \(account)",
      as: OutboxEntry.self)
  }

  func deadLetter(
    _ key: IdempotencyKey, of account: AccountID
  ) throws(PersistenceError) -> DeadLetter? {
    try row(
      """
      SELECT \(SQL.deadLetterColumns) FROM sync_dead_letter
      WHERE key = \(key) AND account = \(account)
      """, as: DeadLetter.self)
  }
}

/// The fields of a waiting entry that decisions need.
struct WaitingEntry: Decodable, Sendable {
  var sequence: Int64
  var collection: String
  var scope: SyncScope
  var attempts: Int
  /// How often each kind of failure occurred, as ``FailureCounts`` writes it.
  var failures: String
  var nextAttempt: Date?
  /// The entries that the server must have before, as ``EntryList`` writes them.
  var requires: String
}

extension SQL {
  /// The condition of a partial index, which SQLite uses only for the same literal.
  static let isAcknowledged: SQL = "state = 'acknowledged'"

  static let entryColumns: SQL = """
    sequence, key, account, collection, scope, kind, payload, attempts, nextAttempt, created, state,
    version
    """

  static let deadLetterColumns: SQL = """
    sequence, key, account, collection, scope, kind, payload, attempts, created, rejected, reason,
    message, cause
    """
}
