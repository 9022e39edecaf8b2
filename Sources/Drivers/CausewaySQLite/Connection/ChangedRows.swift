import CSQLite

/// The row ids that the statements of a transaction have changed.
///
/// SQLite's update hook reports the rows. It leaves some out; these tables count as changed in
/// unknown rows:
/// - A deletion of all rows clears the table at once. SQLite counts these rows, so the statement has
///   counted more rows than the hook.
/// - Rows of a virtual table or a table without row ids also count, but are not reported.
/// - A conflict resolved by `REPLACE` deletes rows without a count. The word is in the text of the
///   statement, or in a trigger, whose text is not known here, or in the schema of the table, which
///   is then not followed.
/// - After an update of a row id, the hook reports the new one. SQLite's compiler reports the column.
///
/// A statement or a savepoint can be rolled back. Its rows stay here: rows that did not change do no
/// harm.
final class ChangedRows {
  /// Above this number, it takes less time to run a query as a whole.
  static let limit = 1_024

  /// Whether the rows of this transaction are recorded, because a query was followed before it began.
  private(set) var isRecording = false
  private(set) var rows: [String: [Int64]] = [:]
  /// The tables with unknown changed rows.
  private(set) var unknown: Set<String> = []
  /// The columns that updates have set, by table.
  private(set) var updated: [String: Set<String>] = [:]
  /// The number of reports since the last statement.
  private var reports: Int64 = 0
  /// The name of the table of the last report.
  ///
  /// SQLite passes the same pointer during a statement.
  ///
  /// The schema, to which it belongs, does not change between two resets: a commit that changes the
  /// schema counts as a change of everything.
  private var pointer: UnsafePointer<CChar>?
  private var table = ""
  /// The statement whose columns were added last.
  private var lastAccess: StatementAccess?
  private var pending: [Int64] = []

  /// Starts to record.
  ///
  /// This object must live as long as the connection.
  func attach(to database: OpaquePointer) {
    sqlite3_update_hook(database, noteRow, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Forgets the changes of the last transaction.
  func reset(isRecording: Bool = false) {
    self.isRecording = isRecording
    pending.removeAll(keepingCapacity: true)
    (pointer, lastAccess) = (nil, nil)
    if !rows.isEmpty { rows = [:] }
    if !unknown.isEmpty { unknown = [] }
    if !updated.isEmpty { updated = [:] }
    reports = 0
  }

  /// Called after a statement has ended or failed.
  ///
  /// - Parameter count: The number of changed rows that SQLite has counted.
  func note(_ statement: Statement, count: Int64) {
    let access = statement.access
    defer { reports = 0 }
    guard isRecording, !access.writes.isEmpty else { return }
    noteColumns(access)
    if count != reports || access.runsTriggers || statement.mayReplace {
      unknown.formUnion(access.writes)
    }
  }

  /// Adds the columns that a statement updates.
  func noteColumns(_ access: StatementAccess) {
    if !isRecording || access === lastAccess { return }
    lastAccess = access
    for (table, columns) in access.updates { updated[table, default: []].formUnion(columns) }
  }

  fileprivate func note(_ table: UnsafePointer<CChar>, _ row: Int64) {
    guard isRecording else { return }
    reports += 1
    if table != pointer {
      flush()
      pointer = table
      self.table = String(cString: table).lowercased()
    }
    // One more than the limit shows that there were too many.
    if pending.count <= Self.limit { pending.append(row) }
  }

  /// Adds the last reports to ``rows``.
  func flush() {
    guard !pending.isEmpty else { return }
    rows[table, default: []] += pending
    pending.removeAll(keepingCapacity: true)
    if rows[table, default: []].count > Self.limit {
      rows[table] = nil
      unknown.insert(table)
    }
  }
}

private func noteRow(
  _ context: UnsafeMutableRawPointer?, _ action: Int32, _ database: UnsafePointer<CChar>?,
  _ table: UnsafePointer<CChar>?, _ row: Int64
) {
  guard let context, let table else { return }
  // Tables of other databases count as well; a table of the same name then runs queries in vain.
  Unmanaged<ChangedRows>.fromOpaque(context).takeUnretainedValue().note(table, row)
}
