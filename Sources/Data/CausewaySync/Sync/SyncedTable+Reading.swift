import CausewayDatabase

/// The stored state at the beginning of a read; it is needed to store the response.
struct ReadStart: Sendable, Equatable {
  /// The stored version; `nil` if the scope was never read.
  var version: SyncVersion?
  /// Whether the changes since that version would be incomplete.
  var needsSnapshot = false
  /// Entries that were acknowledged without a version.
  ///
  /// Each read that begins now contains them.
  var shown: [Int64]

  /// The state for storing a page before the last page; with it, a page removes no entries that
  /// were acknowledged without a version.
  var beforeLastPage: ReadStart {
    ReadStart(version: version, needsSnapshot: needsSnapshot, shown: [])
  }
}

/// The server's response to a read.
enum ReadAnswer<Record: Identifiable & Sendable>: Sendable where Record.ID: Sendable {
  case snapshot(RemoteSnapshot<Record>)
  case changes([Record], deleted: [Record.ID], version: SyncVersion)

  var records: [Record] {
    switch self {
    case .snapshot(let snapshot): snapshot.records
    case .changes(let records, _, _): records
    }
  }

  var version: SyncVersion {
    switch self {
    case .snapshot(let snapshot): snapshot.version
    case .changes(_, _, let version): version
    }
  }
}

extension SyncedTable {
  /// The stored state that a read needs before its request.
  func start(
    _ request: SyncRequest, in transaction: any ReadTransaction
  ) throws(PersistenceError) -> ReadStart {
    let stored = try cursor(request, in: transaction)
    return ReadStart(
      version: stored?.version, needsSnapshot: stored?.needsSnapshot ?? false,
      shown: try transaction.rows(
        """
        SELECT sequence FROM sync_outbox WHERE \(entries(of: request))
        AND \(SQL.isAcknowledged) AND version IS NULL
        """, as: Int64.self))
  }

  /// The stored version of a scope.
  func version(
    _ request: SyncRequest, in transaction: any ReadTransaction
  ) throws(PersistenceError) -> SyncVersion? {
    try cursor(request, in: transaction)?.version
  }

  /// Stores a response in the scope of its request; returns whether it was stored.
  ///
  /// The response is ignored if newer data was stored since the request began. The same transaction
  /// removes the entries that the response contains, and updates the overlay. So no reader sees
  /// only a part of these changes.
  func store<M: Mutation>(
    _ answer: ReadAnswer<Record>, to request: SyncRequest, from start: ReadStart, as type: M.Type,
    in transaction: any WriteTransaction
  ) throws(PersistenceError) -> Bool where M.Record == Record {
    let stored = try cursor(request, in: transaction)
    guard isAcceptable(answer, stored?.version, start) else { return false }
    let cursor = SyncCursor(after: stored, answer)
    let read = cursor.read
    let place = place(request.account, request.scope)
    // Without a cursor, the reads that delivered the stored rows are unknown.
    if stored == nil { try transaction.execute("DELETE FROM \(identifier: base) WHERE \(place)") }

    try transaction.upsert(
      answer.records.lazy.map {
        SyncedRow(record: $0, account: request.account, scope: request.scope, read: read)
      }, into: base, key: keyColumns)
    var touched: Set<Record.ID>
    switch answer {
    case .snapshot:
      touched = try pendingIDs(request.account, request.scope, in: transaction)
      try transaction.execute(
        "DELETE FROM \(identifier: base) WHERE \(place) AND syncRead <> \(read)")
    case .changes(let records, let deleted, _):
      for id in deleted {
        try transaction.execute(
          "DELETE FROM \(identifier: base) WHERE \(place) AND \(identifier: key) = \(id)")
      }
      touched = try pendingIDs(
        among: Set(records.map(\.id)).union(deleted), request, in: transaction)
    }
    try store(cursor, for: request, in: transaction)
    touched.formUnion(try removeCovered(by: answer.version, start, request, in: transaction))
    try show(touched, as: type, request.account, request.scope, in: transaction)
    return true
  }

  /// Whether a response is at least as new as the stored data.
  private func isAcceptable(
    _ answer: ReadAnswer<Record>, _ stored: SyncVersion?, _ start: ReadStart
  ) -> Bool {
    // No other response was stored in between. The version can still be lower, if the server was
    // restored from a backup.
    if stored == start.version { return true }
    switch answer {
    // Changes can only be applied to the version from which they start.
    case .changes: return false
    case .snapshot(let snapshot): return stored.map { snapshot.version >= $0 } ?? false
    }
  }

  /// Removes the entries that data of a version contains; returns the identifiers of their records.
  private func removeCovered(
    by version: SyncVersion, _ start: ReadStart, _ request: SyncRequest,
    in transaction: any WriteTransaction
  ) throws(PersistenceError) -> [Record.ID] {
    let covered: SQL = """
      \(entries(of: request)) AND \(SQL.isAcknowledged)
      AND (version <= \(version) OR sequence IN \(list: start.shown))
      """
    // The identifiers come from the column and not from the mutations, because this version of the
    // app may not be able to decode a mutation of an earlier version. Entries that no engine has
    // stored have no identifier.
    // The plus sign, and the absence of DISTINCT, exclude the index of the column. With that index,
    // SQLite would search all pending entries of the scope.
    let ids = try transaction.rows(
      "SELECT entity FROM sync_outbox WHERE \(covered) AND +entity IS NOT NULL",
      as: Record.ID.self)
    try transaction.execute("DELETE FROM sync_outbox WHERE \(covered)")
    return ids
  }

  /// Whether the outbox has acknowledged entries that stored data does not contain.
  func isBehind(
    _ request: SyncRequest, in transaction: any ReadTransaction
  ) throws(PersistenceError) -> Bool {
    try transaction.row(
      """
      SELECT 1 FROM sync_outbox WHERE \(entries(of: request))
      AND \(SQL.isAcknowledged) LIMIT 1
      """, as: Int.self) != nil
  }

  /// The number of entries that stored data does not contain.
  func pendingCount(
    _ request: SyncRequest, in transaction: any ReadTransaction
  ) throws(PersistenceError) -> PendingCount {
    try transaction.row(
      """
      SELECT (SELECT count(*) FROM sync_outbox WHERE \(entries(of: request))) AS count,
        (SELECT ifnull(max(seq), 0) FROM sqlite_sequence WHERE name = 'sync_outbox') AS last
      """, as: PendingCount.self) ?? PendingCount()
  }

  func entries(of request: SyncRequest) -> SQL {
    "account = \(request.account) AND collection = \(name) AND scope = \(request.scope)"
  }
}

/// The number of entries that stored data does not contain.
struct PendingCount: Sendable, Equatable, Decodable {
  var count = 0
  /// The sequence number of the last entry when the entries were counted.
  var last: Int64 = 0
}
