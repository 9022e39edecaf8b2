import CausewayDatabase

/// The state of a file after the remains of its deleted rows were erased.
struct Erasure: Equatable {
  private let ownChanges: Int64
  private let foreignCommits: String

  init(_ connection: Connection) throws(PersistenceError) {
    ownChanges = connection.changeCount
    foreignCommits = try connection.text("PRAGMA data_version") ?? ""
  }
}

extension Writer {
  /// Removes the remains of deleted rows from the files, and damaged files that were set aside.
  nonisolated func eraseDeleted() async throws {
    try await queue.lead()
    defer { queue.leave() }
    guard configuration.access == .readWrite else {
      throw PersistenceError(.readOnly, message: "The service only reads its file")
    }
    // The damaged files are removed first, because this frees space.
    try await removeSetAside()
    try await eraseAsLeader(onlyIfMarked: false)
  }

  /// Removes the remains of deleted rows from the files, if a transaction has marked them.
  nonisolated func eraseMarked() async throws {
    try await queue.lead()
    defer { queue.leave() }
    try await eraseAsLeader(onlyIfMarked: true)
  }

  /// Erases marked remains if an earlier process ended before it had erased them.
  ///
  /// In this case a full-text index may also have wrong row ids. Errors are ignored, because the
  /// service must open even on a full disk. The mark then stays.
  func eraseAtStart(_ connection: Connection) {
    erasure = nil
    do {
      let marks = try connection.erasureMarks()
      guard !marks.isEmpty else { return }
      _ = try connection.rewrite()
      try connection.checkpoint(.truncate, mustComplete: true)
      try connection.removeErasureMarks(marks)
    } catch {}
  }

  private func removeSetAside() throws {
    guard connection != nil else { throw PersistenceError.closed }
    try checkLocation()
    file.removeSetAside()
  }

  private func eraseAsLeader(onlyIfMarked: Bool) async throws {
    guard let connection else { throw PersistenceError.closed }
    try checkLocation()
    // Each step can wait for the whole busy timeout, because the rewriting of a large file can take
    // longer than this timeout.
    var marks = try await busyTimeout.retry { try connection.erasureMarks() }
    if marks.isEmpty {
      guard try !onlyIfMarked && erasure != Erasure(connection) else { return }
      // After the file is rewritten, a full-text index may have wrong row ids until it is rebuilt.
      // If the process ends before that, the mark makes the service rebuild the index at its next
      // start.
      marks = try await busyTimeout.retry {
        try connection.markForErasing()
        return try connection.erasureMarks()
      }
    }
    // Row ids can change, and a snapshot can contain the new row ids before this function
    // continues.
    rowLog.add(.everything, connection.changed)
    defer { rowLog.endWriting() }
    let renumbers = try await busyTimeout.retry { try connection.rewrite() }
    // Live queries may contain row ids.
    if renumbers { live.invalidate(.everything) }
    // The log contains the old pages until it is emptied, and readers may still need them.
    guard await readers.pause(atMost: configuration.busyTimeout) else {
      throw PersistenceError(.busy, message: "A read takes longer than the busy timeout")
    }
    defer { readers.resume() }
    try await busyTimeout.retry { try connection.checkpoint(.truncate, mustComplete: true) }
    try await busyTimeout.retry { try connection.removeErasureMarks(marks) }
    erasure = try Erasure(connection)
  }
}

extension Connection {
  /// Records that the remains of deleted rows must be erased, in the transaction that has begun.
  ///
  /// Each mark is a row with a random number, so a process cannot remove a later mark of another
  /// process. Consecutive numbers would start again after all marks were removed.
  func markForErasing() throws(PersistenceError) {
    try run("CREATE TABLE IF NOT EXISTS causeway_erasure (id INTEGER PRIMARY KEY)")
    try run("INSERT INTO causeway_erasure (id) VALUES (random())")
  }

  fileprivate func erasureMarks() throws(PersistenceError) -> [String] {
    guard try text("SELECT 1 FROM sqlite_schema WHERE name = 'causeway_erasure'") != nil else {
      return []
    }
    return try texts("SELECT id FROM causeway_erasure")
  }

  fileprivate func removeErasureMarks(_ marks: [String]) throws(PersistenceError) {
    try run("DELETE FROM causeway_erasure WHERE id IN (\(marks.joined(separator: ", ")))")
  }

  /// Rewrites all content, so no page has parts of deleted rows.
  ///
  /// `secure_delete` overwrites a deleted row. It does not overwrite the copies that SQLite leaves
  /// in the free space of pages when it moves rows to other pages.
  ///
  /// The caller may call it again after an error of kind `busy`.
  ///
  /// - Returns: Whether row ids may have changed.
  fileprivate func rewrite() throws(PersistenceError) -> Bool {
    // An index keeps deleted words until it is rebuilt.
    let indexes = try searchIndexes()
    try rebuild(indexes)
    try run("VACUUM")
    let renumbers = try hasUnstableRowIDs()
    if renumbers { try rebuild(indexes) }
    return renumbers
  }

  private func searchIndexes() throws(PersistenceError) -> [String] {
    try texts(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage = 0
      AND (sql LIKE '%using fts5%' OR sql LIKE '%using fts4%' OR sql LIKE '%using fts3%')
      """)
  }

  private func rebuild(_ indexes: [String]) throws(PersistenceError) {
    for index in indexes {
      let name = SQL.quoted(index)
      do {
        try run("INSERT INTO \(name) (\(name)) VALUES ('rebuild')")
      } catch  where error.kind == .statement {
        // An index without content cannot be rebuilt. Merging its parts also removes deleted words.
        try run("INSERT INTO \(name) (\(name)) VALUES ('optimize')")
      }
    }
  }

  /// Whether a table has neither a primary key nor an index; `VACUUM` can renumber its rows.
  ///
  /// SQLite's own tables, such as `sqlite_sequence`, do not count: no index refers to their rows.
  private func hasUnstableRowIDs() throws(PersistenceError) -> Bool {
    try text(
      """
      SELECT name FROM sqlite_schema AS item WHERE type = 'table' AND rootpage <> 0
      AND substr(name, 1, 7) <> 'sqlite_'
      AND NOT EXISTS (SELECT 1 FROM pragma_index_list(item.name))
      AND NOT EXISTS (SELECT 1 FROM pragma_table_info(item.name) WHERE pk > 0)
      """) != nil
  }
}
