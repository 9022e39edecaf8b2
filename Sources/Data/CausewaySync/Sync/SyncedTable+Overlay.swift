import CausewayBasics
import CausewayDatabase
import Foundation

extension SyncedTable {
  /// Updates the shown rows of some records: the server's rows with the pending mutations.
  ///
  /// The mutations are applied in order. The result depends only on the server's rows and the
  /// mutations, never on the rows that were shown before. Therefore, if one mutation is removed,
  /// later mutations stay.
  ///
  /// - Complexity: O(records + their pending mutations).
  func show<M: Mutation>(
    _ ids: some Sequence<Record.ID>, as type: M.Type, _ account: AccountID, _ scope: SyncScope,
    in transaction: any WriteTransaction
  ) throws(PersistenceError) where M.Record == Record {
    for id in ids {
      let pending = try pending(id, account, scope, in: transaction)
      let base = try baseRow(id, account, scope, in: transaction)
      var shown = base
      for entry in pending {
        // If this version of the app cannot decode an entry, it does not show the entry. Sending
        // the entry reports the error.
        guard let mutation = try? JSONDecoder().decode(type, from: entry.payload) else { continue }
        mutation.apply(to: &shown)
      }
      try store(
        shown, over: base, through: pending.last?.sequence, id, account, scope, in: transaction)
    }
  }

  /// Shows a new mutation by changing the row that is already shown.
  ///
  /// The number in the shown row is that of the last mutation that the row contains. If the row
  /// lacks an earlier mutation, for example after a migration that adds a column, the whole row is
  /// computed again. If a record has neither a row of the server nor a shown row, its last mutation
  /// is marked.
  ///
  /// - Complexity: O(log entries), whatever the number of the record's pending mutations.
  func show<M: Mutation>(
    _ mutation: M, of entry: OutboxEntry, in transaction: any WriteTransaction
  ) throws(PersistenceError) where M.Record == Record {
    let (id, account, scope) = (mutation.recordID, entry.account, entry.scope)
    let previous = try transaction.row(
      """
      SELECT sequence, isAbsent FROM sync_outbox
      WHERE account = \(account) AND collection = \(name) AND scope = \(scope) AND entity = \(id)
      AND sequence < \(entry.sequence) ORDER BY sequence DESC LIMIT 1
      """, as: PreviousMutation.self)
    var shown: Record?
    var base: Record?
    if previous == nil {
      base = try baseRow(id, account, scope, in: transaction)
      shown = base
    } else {
      let overlaid = try transaction.row(
        """
        SELECT * FROM \(identifier: overlay) WHERE \(place(account, scope))
        AND \(identifier: key) = \(id)
        """, as: SyncedRow<Record>.self)
      if let overlaid, Int64(overlaid.read) == previous?.sequence {
        shown = overlaid.isDeleted ? nil : overlaid.record
      } else if overlaid != nil || previous?.isAbsent != true {
        return try show([id], as: M.self, account, scope, in: transaction)
      }
    }
    mutation.apply(to: &shown)
    if shown == nil, previous != nil { base = try baseRow(id, account, scope, in: transaction) }
    try store(shown, over: base, through: entry.sequence, id, account, scope, in: transaction)
  }

  /// The record as it is shown; `nil` if it does not exist or is deleted.
  func shown(
    _ id: Record.ID, _ account: AccountID, _ scope: SyncScope, in transaction: any ReadTransaction
  ) throws(PersistenceError) -> Record? {
    try transaction.row(
      """
      SELECT * FROM \(identifier: name) WHERE \(place(account, scope))
      AND \(identifier: key) = \(id)
      """, as: Record.self)
  }

  /// Stores the shown form of a record.
  ///
  /// - Parameter last: The last mutation that the row contains; `nil` if there are no pending
  ///   mutations.
  private func store(
    _ shown: Record?, over base: Record?, through last: Int64?, _ id: Record.ID,
    _ account: AccountID, _ scope: SyncScope, in transaction: any WriteTransaction
  ) throws(PersistenceError) {
    guard let last, let record = shown ?? base else {
      try transaction.execute(
        """
        DELETE FROM \(identifier: overlay) WHERE \(place(account, scope))
        AND \(identifier: key) = \(id)
        """)
      if let last {
        try transaction.execute("UPDATE sync_outbox SET isAbsent = 1 WHERE sequence = \(last)")
      }
      return
    }
    let row = SyncedRow(
      record: record, account: account, scope: scope, read: Int(last), isDeleted: shown == nil)
    try transaction.upsert(CollectionOfOne(row), into: overlay, key: keyColumns)
  }

  private func baseRow(
    _ id: Record.ID, _ account: AccountID, _ scope: SyncScope,
    in transaction: any ReadTransaction
  ) throws(PersistenceError) -> Record? {
    try transaction.row(
      """
      SELECT * FROM \(identifier: base) WHERE \(place(account, scope))
      AND \(identifier: key) = \(id)
      """, as: Record.self)
  }

  private func pending(
    _ id: Record.ID, _ account: AccountID, _ scope: SyncScope, in transaction: any ReadTransaction
  ) throws(PersistenceError) -> [PendingMutation] {
    try transaction.rows(
      """
      SELECT sequence, payload FROM sync_outbox WHERE account = \(account)
      AND collection = \(name) AND scope = \(scope) AND entity = \(id) ORDER BY sequence
      """, as: PendingMutation.self)
  }

  func place(_ account: AccountID, _ scope: SyncScope) -> SQL {
    "syncAccount = \(account) AND syncScope = \(scope)"
  }
}

private struct PreviousMutation: Decodable {
  var sequence: Int64
  /// Whether there is neither a row of the server nor a shown row after this mutation.
  ///
  /// Used only for a record's last mutation, and only while the record has no shown row.
  var isAbsent: Bool
}

private struct PendingMutation: Decodable {
  var sequence: Int64
  var payload: Data
}

// MARK: Pending records

extension SyncedTable {
  /// The rows of the overlay that may not match the pending mutations.
  ///
  /// A migration that adds a column marks all rows. The outbox marks a row if a mutation of its
  /// record became a dead letter while the collection had no sender.
  ///
  /// - Complexity: O(rows of the overlay).
  func markedRows(
    in transaction: any ReadTransaction
  ) throws(PersistenceError) -> [SyncedRow<Record>] {
    try transaction.rows(
      "SELECT * FROM \(identifier: overlay) WHERE syncRead = 0", as: SyncedRow<Record>.self)
  }

  /// Whether a scope was never read and shows no pending mutation.
  func hidesPending(
    _ request: SyncRequest, in transaction: any ReadTransaction
  ) throws(PersistenceError) -> Bool {
    guard try version(request, in: transaction) == nil else { return false }
    let isShown = try transaction.row(
      """
      SELECT EXISTS (SELECT 1 FROM \(identifier: overlay)
        WHERE \(place(request.account, request.scope)))
      """, as: Bool.self)
    return isShown != true
  }

  /// The identifiers of the records that have pending mutations or an overlay row.
  ///
  /// The overlay alone is not enough. A mutation of a record that does not exist has no overlay
  /// row, but the record may appear again.
  ///
  /// - Complexity: O(pending mutations).
  func pendingIDs(
    _ account: AccountID, _ scope: SyncScope, in transaction: any ReadTransaction
  ) throws(PersistenceError) -> Set<Record.ID> {
    Set(
      try transaction.rows(
        """
        SELECT \(identifier: key) FROM \(identifier: overlay) WHERE \(place(account, scope))
        UNION
        SELECT entity FROM sync_outbox WHERE account = \(account) AND collection = \(name)
        AND scope = \(scope) AND entity IS NOT NULL
        """, as: Record.ID.self))
  }

  /// Returns the given records that have pending mutations or an overlay row.
  ///
  /// - Complexity: O(min(records, pending mutations) · log(pending mutations)).
  func pendingIDs(
    among ids: Set<Record.ID>, _ request: SyncRequest, in transaction: any ReadTransaction
  ) throws(PersistenceError) -> Set<Record.ID> {
    let (account, scope) = (request.account, request.scope)
    // A count of all pending mutations would be slow while a long queue is sent.
    let count = try transaction.row(
      """
      SELECT count(*) FROM (SELECT 1 FROM sync_outbox WHERE \(entries(of: request))
      LIMIT \(ids.count + 1))
      """, as: Int.self)
    guard count ?? 0 > ids.count else {
      return try pendingIDs(account, scope, in: transaction).intersection(ids)
    }
    var pending: Set<Record.ID> = []
    for id in ids {
      let isPending = try transaction.row(
        """
        SELECT EXISTS (SELECT 1 FROM \(identifier: overlay) WHERE \(place(account, scope))
          AND \(identifier: key) = \(id))
        OR EXISTS (SELECT 1 FROM sync_outbox WHERE \(entries(of: request)) AND entity = \(id))
        """, as: Bool.self)
      if isPending == true { pending.insert(id) }
    }
    return pending
  }
}
