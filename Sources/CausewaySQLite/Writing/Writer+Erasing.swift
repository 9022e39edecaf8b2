import CausewayData

extension Writer {
  /// Removes what deleted rows have left in the files.
  ///
  /// - Parameter keepsSetAside: Whether damaged files that were set aside stay.
  nonisolated func eraseDeleted(keepingSetAside keepsSetAside: Bool) async throws {
    try await queue.lead()
    defer { queue.leave() }
    try await eraseAsLeader(keepsSetAside)
  }

  private func eraseAsLeader(_ keepsSetAside: Bool) async throws {
    guard let connection else { throw PersistenceError.closed }
    try checkLocation()
    let timeout = BusyTimeout(configuration.busyTimeout)
    if connection.changeCount != erasedChanges {
      let renumbers = try await timeout.retry { try connection.rewrite() }
      erasedChanges = connection.changeCount
      // Live queries may contain row ids.
      if renumbers { live.invalidate(.everything) }
    }
    // The log contains the old pages until it is emptied, and readers may still need them.
    guard await readers.pause(atMost: configuration.busyTimeout) else {
      throw PersistenceError(.busy, message: "A read takes longer than the busy timeout")
    }
    defer { readers.resume() }
    try await timeout.retry { try connection.checkpoint(.truncate, mustComplete: true) }
    if !keepsSetAside { file.removeSetAside() }
  }
}

extension Connection {
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
  private func hasUnstableRowIDs() throws(PersistenceError) -> Bool {
    try text(
      """
      SELECT name FROM sqlite_schema AS item WHERE type = 'table' AND rootpage <> 0
      AND NOT EXISTS (SELECT 1 FROM pragma_index_list(item.name))
      AND NOT EXISTS (SELECT 1 FROM pragma_table_info(item.name) WHERE pk > 0)
      """) != nil
  }
}
