import Foundation

extension SyncedTable {
  /// Shows some records anew: the server's rows with the pending mutations applied in order.
  ///
  /// The result depends only on these two, never on the rows that were shown before. Therefore the
  /// removal of one mutation does not affect later mutations.
  func show<M: Mutation>(
    _ ids: some Sequence<Record.ID>, as type: M.Type, _ account: AccountID, _ scope: SyncScope,
    in transaction: any WriteTransaction
  ) throws(PersistenceError) where M.Record == Record {
    for id in ids {
      let mutations = try pending(id, as: type, account, scope, in: transaction)
      let base = try transaction.row(
        """
        SELECT * FROM \(identifier: base) WHERE \(place(account, scope))
        AND \(identifier: key) = \(id)
        """, as: Record.self)
      var shown = base
      for mutation in mutations { mutation.apply(to: &shown) }
      if !mutations.isEmpty, let record = shown ?? base {
        let row = SyncedRow(
          record: record, account: account, scope: scope, isDeleted: shown == nil)
        try transaction.upsert(CollectionOfOne(row), into: overlay, key: keyColumns)
      } else {
        try transaction.execute(
          """
          DELETE FROM \(identifier: overlay) WHERE \(place(account, scope))
          AND \(identifier: key) = \(id)
          """)
      }
    }
  }

  /// The identifiers of the records that have pending mutations or an overlay row.
  ///
  /// The overlay alone is not enough: a mutation of a record that does not exist has no overlay
  /// row, and the record may come back.
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

  func place(_ account: AccountID, _ scope: SyncScope) -> SQL {
    "syncAccount = \(account) AND syncScope = \(scope)"
  }

  private func pending<M: Mutation>(
    _ id: Record.ID, as type: M.Type, _ account: AccountID, _ scope: SyncScope,
    in transaction: any ReadTransaction
  ) throws(PersistenceError) -> [M] where M.Record == Record {
    let payloads = try transaction.rows(
      """
      SELECT payload FROM sync_outbox WHERE account = \(account) AND collection = \(name)
      AND scope = \(scope) AND entity = \(id) ORDER BY sequence
      """, as: Data.self)
    // An entry that this version of the app cannot decode is not shown; sending it reports the
    // error.
    return payloads.compactMap { try? JSONDecoder().decode(type, from: $0) }
  }
}
