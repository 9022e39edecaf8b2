import CausewayDatabase
import CausewayNetwork
import CausewayRetries
import CausewaySession
import Foundation

extension WriteTransaction {
  /// Stores a draft behind all entries, or returns the existing entry with the draft's key.
  ///
  /// An earlier run may have stored and sent the existing entry. The entries are counted in the
  /// table and not in memory, because other transactions also store and remove entries. Engines
  /// remove entries that their reads contain, and other processes use the same file.
  func storeEntry(
    _ draft: OutboxDraft, of account: AccountID, created: Date, limit: Int
  ) throws -> StoredDraft {
    if let entry = try outboxEntry(draft.key, of: account) {
      return StoredDraft(entry: entry, isNew: false, previous: entry.sequence)
    }
    let range = try outboxRange()
    if try isOutboxFull(for: account, limit: limit, range) { throw OutboxError.full(limit) }
    let requires = try entries(draft.dependencies, of: account)
    let sequence = try row(
      """
      INSERT INTO sync_outbox
        (key, account, collection, scope, kind, entity, payload, requires, created)
      VALUES (\(draft.key), \(account), \(draft.collection), \(draft.scope), \(draft.kind),
        \(draft.entity), \(draft.payload), \(requires.text), \(created))
      RETURNING sequence
      """, as: Int64.self)
    guard let sequence else { throw OutboxError.notFound(draft.key) }
    let entry = OutboxEntry(
      sequence: sequence, key: draft.key, account: account, collection: draft.collection,
      scope: draft.scope, kind: draft.kind, payload: draft.payload, attempts: 0,
      created: created, state: .waiting)
    return StoredDraft(
      entry: entry, isNew: true, previous: range.last ?? 0, requires: requires.sequences)
  }

  /// The lowest and the highest sequence number.
  ///
  /// - Complexity: O(log entries).
  func outboxRange() throws(PersistenceError) -> OutboxRange {
    // SQLite finds each end quickly, but only in a query of its own.
    try row(
      """
      SELECT (SELECT min(sequence) FROM sync_outbox) AS first,
        (SELECT max(sequence) FROM sync_outbox) AS last
      """, as: OutboxRange.self) ?? OutboxRange()
  }

  /// Whether an account has reached its limit of entries.
  ///
  /// - Complexity: O(log entries); O(entries) if more entries than the limit were stored since the
  ///   oldest one.
  func isOutboxFull(
    for account: AccountID, limit: Int, _ range: OutboxRange
  ) throws(PersistenceError) -> Bool {
    // The range of the sequence numbers limits the number of entries.
    guard range.count >= limit else { return false }
    let own = try row(
      "SELECT count(*) FROM sync_outbox WHERE account = \(account)", as: Int.self)
    return own ?? 0 >= limit
  }

  /// Removes an entry, and returns whether it existed.
  @discardableResult
  func removeEntry(_ sequence: Int64) throws(PersistenceError) -> Bool {
    try executeAndCount("DELETE FROM sync_outbox WHERE sequence = \(sequence)") > 0
  }

  func acknowledgeEntry(_ sequence: Int64, version: SyncVersion?) throws(PersistenceError) {
    try execute(
      """
      UPDATE sync_outbox SET state = \(OutboxEntry.State.acknowledged), version = \(version)
      WHERE sequence = \(sequence)
      """)
  }

  func postponeEntry(
    _ sequence: Int64, attempts: Int, _ failures: FailureCounts, until date: Date
  ) throws(PersistenceError) {
    try execute(
      """
      UPDATE sync_outbox
      SET attempts = \(attempts), failures = \(failures.text), nextAttempt = \(date)
      WHERE sequence = \(sequence)
      """)
  }

  /// Moves an entry to the dead letters.
  func buryEntry(
    _ entry: OutboxEntry, attempts: Int, _ failure: RemoteFailure, on date: Date,
    cause: IdempotencyKey? = nil
  ) throws(PersistenceError) -> DeadLetter {
    try execute(
      """
      INSERT OR REPLACE INTO sync_dead_letter
        (sequence, key, account, collection, scope, kind, entity, payload, attempts, requires,
        created, rejected, reason, message, cause)
      SELECT sequence, key, account, collection, scope, kind, entity, payload, \(attempts),
        requires, created, \(date), \(failure.kind), \(failure.message), \(cause)
      FROM sync_outbox WHERE sequence = \(entry.sequence)
      """)
    try removeEntry(entry.sequence)
    return DeadLetter(entry, attempts: attempts, failure, on: date, cause: cause)
  }

  /// Removes the dead letters of an account above the limit, and returns them.
  ///
  /// The dead letters that were refused first are removed first.
  ///
  /// - Parameter latest: The sequence number of a dead letter that stays even if its date is the
  ///   oldest.
  func dropDeadLetters(
    of account: AccountID, beyond limit: Int, except latest: Int64
  ) throws(PersistenceError) -> [DeadLetter] {
    let count =
      try row(
        "SELECT count(*) FROM sync_dead_letter WHERE account = \(account)", as: Int.self) ?? 0
    guard count > limit else { return [] }
    let letters = try rows(
      """
      SELECT \(SQL.deadLetterColumns) FROM sync_dead_letter
      WHERE account = \(account) AND sequence <> \(latest)
      ORDER BY rejected, sequence LIMIT \(count - limit)
      """, as: DeadLetter.self)
    try execute(
      "DELETE FROM sync_dead_letter WHERE sequence IN \(list: letters.map(\.sequence))")
    return letters
  }

  /// Removes the synced data and the outbox rows of an account, or of all other accounts.
  func wipe(_ wipe: SessionParticipant.Wipe) throws(PersistenceError) {
    let tables = try rows("SELECT name FROM sync_table", as: String.self)
    var count = 0
    for table in tables {
      for name in [SQL.baseName(of: table), SQL.overlayName(of: table)] {
        count += try executeAndCount(
          "DELETE FROM \(identifier: name) WHERE \(SQL.belongs("syncAccount", wipe))")
      }
    }
    for name in ["sync_outbox", "sync_dead_letter", "sync_cursor"] {
      count += try executeAndCount(
        "DELETE FROM \(identifier: name) WHERE \(SQL.belongs("account", wipe))")
    }
    // Rows that were deleted during the session leave remains too.
    if count > 0 || wipe.isLogout { try markForErasing() }
  }
}

extension SQL {
  static func baseName(of table: String) -> String { table + "_base" }
  static func overlayName(of table: String) -> String { table + "_overlay" }

  fileprivate static func belongs(_ column: String, _ wipe: SessionParticipant.Wipe) -> SQL {
    switch wipe {
    case .only(let account): "\(identifier: column) = \(account)"
    case .allExcept(let account): "\(identifier: column) <> \(account)"
    }
  }
}

/// The lowest and the highest sequence number of the outbox; `nil` if it is empty.
struct OutboxRange: Decodable, Sendable {
  var first: Int64?
  var last: Int64?

  /// The largest number of entries that there can be.
  var count: Int {
    guard let first, let last else { return 0 }
    return Int(last - first + 1)
  }
}
