import CausewayDatabase

/// The progress of the reads of a scope.
struct SyncCursor: Sendable, Decodable {
  /// The version of the stored rows.
  var version: SyncVersion
  /// The number of reads; negative while the next read must be a snapshot.
  ///
  /// The sign is used because a new column is not possible. Existing files have already applied the
  /// migration of the table, and a new migration cannot be inserted before the app's migrations.
  fileprivate var reads: Int

  /// The number of the last read whose response was stored.
  var read: Int { abs(reads) }

  /// Whether the next read must be a snapshot, because a column was added.
  ///
  /// The stored rows have no values for the column, and the server reports only changed records as
  /// changes.
  var needsSnapshot: Bool { reads < 0 }

  /// The cursor after a response was stored.
  init<Record>(after stored: SyncCursor?, _ answer: ReadAnswer<Record>)
  where Record: Identifiable & Sendable, Record.ID: Sendable {
    version = answer.version
    let read = (stored?.read ?? 0) + 1
    switch answer {
    case .snapshot: reads = read
    case .changes: reads = stored?.needsSnapshot == true ? -read : read
    }
  }
}

extension SyncedTable {
  func cursor(
    _ request: SyncRequest, in transaction: any ReadTransaction
  ) throws(PersistenceError) -> SyncCursor? {
    try transaction.row(
      "SELECT version, reads FROM sync_cursor WHERE \(entries(of: request))", as: SyncCursor.self)
  }

  func store(
    _ cursor: SyncCursor, for request: SyncRequest, in transaction: any WriteTransaction
  ) throws(PersistenceError) {
    try transaction.execute(
      """
      INSERT OR REPLACE INTO sync_cursor (account, collection, scope, version, reads)
      VALUES (\(request.account), \(name), \(request.scope), \(cursor.version), \(cursor.reads))
      """)
  }

  /// Makes the next read of each scope a snapshot; stored rows stay valid until then.
  var markCursors: SQL {
    "UPDATE sync_cursor SET reads = -abs(reads) WHERE collection = \(name)"
  }
}
