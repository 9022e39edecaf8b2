/// Where a read started from; goes with its response.
struct ReadStart: Sendable, Equatable {
  /// The stored version, `nil` if the scope was never read.
  var version: SyncVersion?
  /// Whether changes since that version would leave something out.
  var needsSnapshot = false
  /// Entries that were acknowledged without a version: whatever is read from now on shows them.
  var shown: [Int64]

  /// The start of a read whose response is only a part of what there is.
  var beforeLastPage: ReadStart {
    ReadStart(version: version, needsSnapshot: needsSnapshot, shown: [])
  }
}

/// What the server answered to a read.
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
  /// What a read has to know before it asks.
  func start(
    _ request: SyncRequest, in transaction: any ReadTransaction
  ) throws(PersistenceError) -> ReadStart {
    let stored = try cursor(request, in: transaction)
    return ReadStart(
      version: stored?.version, needsSnapshot: stored?.needsSnapshot ?? false,
      shown: try transaction.rows(
        """
        SELECT sequence FROM sync_outbox WHERE \(entries(of: request))
        AND state = \(OutboxEntry.State.acknowledged) AND version IS NULL
        """, as: Int64.self))
  }

  /// The version that is stored for a scope.
  func version(
    _ request: SyncRequest, in transaction: any ReadTransaction
  ) throws(PersistenceError) -> SyncVersion? {
    try cursor(request, in: transaction)?.version
  }

  /// Stores a response in the scope of its request, unless newer data has been stored since the
  /// request began; returns whether it was stored.
  ///
  /// In the same transaction entries that the response shows leave the outbox, and the overlay is
  /// computed anew over the new rows, so that no reader sees one without the other.
  func store<M: Mutation>(
    _ answer: ReadAnswer<Record>, to request: SyncRequest, from start: ReadStart, as type: M.Type,
    in transaction: any WriteTransaction
  ) throws(PersistenceError) -> Bool where M.Record == Record {
    let stored = try cursor(request, in: transaction)
    guard isAcceptable(answer, stored?.version, start) else { return false }
    let cursor = SyncCursor(after: stored, answer)
    let read = cursor.read
    let place = place(request.account, request.scope)
    // Rows without a cursor come from nowhere: their reads cannot be told from this one.
    if stored == nil { try transaction.execute("DELETE FROM \(identifier: base) WHERE \(place)") }

    try transaction.upsert(
      answer.records.lazy.map {
        SyncedRow(record: $0, account: request.account, scope: request.scope, read: read)
      }, into: base, key: keyColumns)
    var touched = try pendingIDs(request.account, request.scope, in: transaction)
    switch answer {
    case .snapshot:
      try transaction.execute(
        "DELETE FROM \(identifier: base) WHERE \(place) AND syncRead <> \(read)")
    case .changes(let records, let deleted, _):
      for id in deleted {
        try transaction.execute(
          "DELETE FROM \(identifier: base) WHERE \(place) AND \(identifier: key) = \(id)")
      }
      touched.formIntersection(Set(records.map(\.id)).union(deleted))
    }
    try store(cursor, for: request, in: transaction)
    touched.formUnion(try removeCovered(by: answer.version, start, request, in: transaction))
    try show(touched, as: type, request.account, request.scope, in: transaction)
    return true
  }

  /// A response is as new as its request's start, or newer than what has come in between.
  private func isAcceptable(
    _ answer: ReadAnswer<Record>, _ stored: SyncVersion?, _ start: ReadStart
  ) -> Bool {
    // Nothing came in between; then the version may even be lower, after a server's restoration.
    if stored == start.version { return true }
    switch answer {
    // Changes lead on from their start only.
    case .changes: return false
    case .snapshot(let snapshot): return stored.map { snapshot.version >= $0 } ?? false
    }
  }

  /// Removes the entries that data of a version shows; returns whose records they are.
  private func removeCovered(
    by version: SyncVersion, _ start: ReadStart, _ request: SyncRequest,
    in transaction: any WriteTransaction
  ) throws(PersistenceError) -> [Record.ID] {
    let covered: SQL = """
      \(entries(of: request)) AND state = \(OutboxEntry.State.acknowledged)
      AND (version <= \(version) OR sequence IN \(list: start.shown))
      """
    // Not taken from the mutations: an earlier version of the app may have stored and shown one that
    // this version cannot read. Without a record are those that were not handed in to an engine.
    let ids = try transaction.rows(
      "SELECT DISTINCT entity FROM sync_outbox WHERE \(covered) AND entity IS NOT NULL",
      as: Record.ID.self)
    try transaction.execute("DELETE FROM sync_outbox WHERE \(covered)")
    return ids
  }

  /// Whether the server has acknowledged entries that stored data does not show.
  func isBehind(
    _ request: SyncRequest, in transaction: any ReadTransaction
  ) throws(PersistenceError) -> Bool {
    try transaction.row(
      """
      SELECT 1 FROM sync_outbox WHERE \(entries(of: request))
      AND state = \(OutboxEntry.State.acknowledged) LIMIT 1
      """, as: Int.self) != nil
  }

  /// The number of entries that stored data does not show.
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

/// How many entries stored data does not show.
struct PendingCount: Sendable, Equatable, Decodable {
  var count = 0
  /// The sequence number of the last entry that was stored when they were counted.
  var last: Int64 = 0
}
