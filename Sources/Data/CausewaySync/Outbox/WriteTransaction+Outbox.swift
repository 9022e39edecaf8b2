import CausewayBasics
import CausewayDatabase
import CausewayNetwork
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
    let key = try storedKey(draft.key, of: account)
    let sequence = try row(
      """
      INSERT INTO sync_outbox
        (key, account, collection, scope, kind, entity, payload, requires, created)
      VALUES (\(key), \(account), \(draft.collection), \(draft.scope), \(draft.kind),
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
    // SQLite finds the minimum and the maximum quickly only in separate queries.
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
  /// - Parameter latest: The entries that have just become dead letters. Their letters stay, even
  ///   if there are more of them than the limit, because the server has not seen all of them.
  func dropDeadLetters(
    of account: AccountID, beyond limit: Int, except latest: [BuriedEntry]
  ) throws(PersistenceError) -> [DeadLetter] {
    let count = try countDeadLetters(of: account)
    guard count > limit else { return [] }
    let letters = try rows(
      """
      SELECT \(SQL.deadLetterColumns) FROM sync_dead_letter
      WHERE account = \(account) AND sequence NOT IN \(list: latest.map(\.entry.sequence))
      ORDER BY rejected, sequence LIMIT \(count - limit)
      """, as: DeadLetter.self)
    try execute(
      "DELETE FROM sync_dead_letter WHERE sequence IN \(list: letters.map(\.sequence))")
    return letters
  }

  func countDeadLetters(of account: AccountID) throws(PersistenceError) -> Int {
    try row("SELECT count(*) FROM sync_dead_letter WHERE account = \(account)", as: Int.self) ?? 0
  }

  /// Removes the synced data and the outbox rows of an account, or of all other accounts.
  ///
  /// The unsent mutations of other accounts stay, because the server may have ended their sessions.
  func wipe(_ wipe: SessionParticipant.Wipe) throws(PersistenceError) {
    switch wipe {
    case .only(let account):
      try remove(where: { "\(identifier: $0) = \(account)" }, keepsUnsent: false)
      // Rows that were deleted during the session leave remains too.
      try markForErasing()
    case .allExcept(let account):
      let count = try remove(where: { "\(identifier: $0) <> \(account)" }, keepsUnsent: true)
      if count > 0 { try markForErasing() }
    }
  }

  /// Removes the synced data of an account, and keeps its unsent mutations.
  func expire(_ account: AccountID) throws(PersistenceError) {
    try remove(where: { "\(identifier: $0) = \(account)" }, keepsUnsent: true)
    try markForErasing()
  }

  /// Removes rows of accounts, and returns the number of removed rows.
  ///
  /// Mutations that stay show no rows, so a query of the view never finds another account's rows.
  ///
  /// - Parameter belongs: Returns the condition of the rows to remove, for the name of the column
  ///   with the account.
  @discardableResult
  private func remove(
    where belongs: (String) -> SQL, keepsUnsent: Bool
  ) throws(PersistenceError) -> Int {
    var count = 0
    for table in try rows("SELECT name FROM sync_table", as: String.self) {
      for name in [SQL.baseName(of: table), SQL.overlayName(of: table)] {
        count += try executeAndCount(
          "DELETE FROM \(identifier: name) WHERE \(belongs("syncAccount"))")
      }
    }
    let entries = belongs("account")
    count += try executeAndCount("DELETE FROM sync_cursor WHERE \(entries)")
    // The server has the acknowledged mutations.
    let isRemoved: SQL = keepsUnsent ? "\(entries) AND \(SQL.isAcknowledged)" : entries
    count += try executeAndCount("DELETE FROM sync_outbox WHERE \(isRemoved)")
    if keepsUnsent {
      // The shown rows are computed again.
      try execute("UPDATE sync_outbox SET isAbsent = 0 WHERE \(entries)")
    } else {
      count += try executeAndCount("DELETE FROM sync_dead_letter WHERE \(entries)")
    }
    return count
  }

  /// Removes the synced data and all mutations of an account, and returns the mutations.
  func removeData(of account: AccountID) throws(PersistenceError) -> [UnsentMutation] {
    let unsent = try rows(
      """
      SELECT \(SQL.key), collection, payload FROM sync_outbox WHERE account = \(account)
      UNION ALL
      SELECT \(SQL.key), collection, payload FROM sync_dead_letter WHERE account = \(account)
      """, as: UnsentMutation.self)
    try wipe(.only(account))
    return unsent
  }
}

/// A mutation of an account that is not signed in.
struct UnsentMutation: Decodable, Sendable {
  var key: IdempotencyKey
  var collection: String
  var payload: Data
}

extension SQL {
  static func baseName(of table: String) -> String { table + "_base" }
  static func overlayName(of table: String) -> String { table + "_overlay" }
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
