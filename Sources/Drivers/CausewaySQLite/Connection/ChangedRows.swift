import CSQLite

/// The row ids that the statements of a transaction have changed.
///
/// SQLite's update hook reports the rows. In these cases it does not report all rows, so the table
/// counts as changed in unknown rows:
/// - A deletion of all rows clears the table at once. SQLite counts these rows, so its count is
///   larger than the number of reports.
/// - SQLite counts rows of a virtual table or a table without row ids, but does not report them.
/// - `REPLACE` deletes conflicting rows without a report or a count. The word can be in the text of
///   the statement, in a trigger, or in the schema of the table. The text of a trigger is not known
///   here, so each change by a trigger is such a case. A table with the word in its schema is not
///   followed.
/// - After an update of a row id, the hook reports only the new row id. SQLite's compiler reports
///   the column.
///
/// If a statement or a savepoint is rolled back, its rows stay here. A query then reads some
/// unchanged rows, which does no harm.
final class ChangedRows {
  /// Above this number, it takes less time to run a query as a whole.
  static let limit = 1_024

  /// Whether rows are recorded, because a query was followed when the transaction began.
  private(set) var isRecording = false
  private(set) var rows: [String: [Int64]] = [:]
  /// The tables with unknown changed rows.
  private(set) var unknown: Set<String> = []
  /// The columns that updates have set, by table.
  private(set) var updated: [String: Set<String>] = [:]
  /// The number of reports since the last statement.
  private var reports: Int64 = 0
  /// The table name in the last report.
  ///
  /// SQLite passes the same pointer during a statement. The pointer belongs to the schema, which
  /// does not change between two resets: a commit that changes the schema counts as a change of
  /// everything.
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
    // One row more than the limit shows that there were too many rows.
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
  // Tables of attached databases count as well. Queries of a table with the same name then run
  // without need.
  Unmanaged<ChangedRows>.fromOpaque(context).takeUnretainedValue().note(table, row)
}
