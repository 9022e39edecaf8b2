import CSQLite

/// The tables that a statement reads and changes, as reported by SQLite's compiler.
///
/// The compiler also reports changes that the update hook omits: deletes that clear a whole table,
/// tables without row ids, replaced rows, virtual tables and schema changes. SQLite compiles
/// triggers and foreign-key actions together with their statement, so their tables are included.
final class StatementAccess {
  /// The names in lower case, because SQLite reports some names in the spelling of the statement.
  private(set) var reads: Set<String> = []
  /// The names in lower case.
  private(set) var writes: Set<String> = []
  /// The columns that the statement updates, by table, in lower case.
  ///
  /// A row id has the name of its column, or `rowid`.
  private(set) var updates: [String: Set<String>] = [:]
  /// Whether triggers of the statement change rows.
  private(set) var runsTriggers = false
  private(set) var changesSchema = false
  private(set) var controlsTransaction = false
  /// The savepoint that the statement begins, releases or rolls back to; `nil` for others.
  private(set) var savepoint: Savepoint?
  /// Whether the statement is a pragma that changes something.
  private(set) var changesSettings = false

  struct Savepoint {
    /// The name in lower case.
    let name: String
    let begins: Bool
    let releases: Bool
  }

  fileprivate func note(
    _ action: Int32, _ name: String?, _ argument: String?, inTrigger: Bool
  ) {
    switch action {
    case SQLITE_READ, SQLITE_SELECT:
      if let name { reads.insert(name.lowercased()) }
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      guard let name = name?.lowercased() else { return }
      writes.insert(name)
      if inTrigger { runsTriggers = true }
      if action == SQLITE_UPDATE, let column = argument?.lowercased() {
        updates[name, default: []].insert(column)
      }
    case SQLITE_PRAGMA:
      let name = name?.lowercased() ?? ""
      changesSettings =
        argument == nil ? Self.actingPragmas.contains(name) : !Self.askingPragmas.contains(name)
    case SQLITE_TRANSACTION:
      controlsTransaction = true
    case SQLITE_SAVEPOINT:
      controlsTransaction = true
      savepoint = Savepoint(
        name: argument?.lowercased() ?? "", begins: name == "BEGIN", releases: name == "RELEASE")
    case SQLITE_CREATE_TABLE, SQLITE_CREATE_VIEW, SQLITE_CREATE_TRIGGER, SQLITE_CREATE_VTABLE,
      SQLITE_CREATE_INDEX, SQLITE_DROP_TABLE, SQLITE_DROP_VIEW, SQLITE_DROP_TRIGGER,
      SQLITE_DROP_VTABLE, SQLITE_DROP_INDEX, SQLITE_ALTER_TABLE, SQLITE_CREATE_TEMP_TABLE,
      SQLITE_CREATE_TEMP_VIEW, SQLITE_CREATE_TEMP_TRIGGER, SQLITE_DROP_TEMP_TABLE,
      SQLITE_DROP_TEMP_VIEW, SQLITE_DROP_TEMP_TRIGGER, SQLITE_ATTACH, SQLITE_DETACH:
      changesSchema = true
    default:
      break
    }
  }

  /// Pragmas whose argument only selects what to report.
  private static let askingPragmas: Set = [
    "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo",
    "integrity_check", "quick_check", "table_info", "table_list", "table_xinfo",
  ]

  /// Pragmas without an argument that change something.
  private static let actingPragmas: Set = [
    "incremental_vacuum", "optimize", "shrink_memory", "wal_checkpoint",
  ]
}

/// Receives the reports of SQLite's compiler for one connection.
///
/// SQLite also compiles a statement again during a step, if the schema has changed. These reports
/// belong to the running statement.
final class AccessRecorder {
  var current: StatementAccess?
  /// Whether pragmas that change something are refused.
  ///
  /// Some pragmas take effect when they are compiled.
  var refusesSettings = false

  /// Starts recording.
  ///
  /// The recorder must live as long as the connection.
  func attach(to database: OpaquePointer) {
    sqlite3_set_authorizer(
      database, recordAccess, Unmanaged.passUnretained(self).toOpaque())
  }
}

private func recordAccess(
  _ context: UnsafeMutableRawPointer?, _ action: Int32,
  _ name: UnsafePointer<CChar>?, _ detail: UnsafePointer<CChar>?,
  _ database: UnsafePointer<CChar>?, _ trigger: UnsafePointer<CChar>?
) -> Int32 {
  guard let context else { return SQLITE_OK }
  let recorder = Unmanaged<AccessRecorder>.fromOpaque(context).takeUnretainedValue()
  recorder.current?.note(
    action, name.map { String(cString: $0) }, detail.map { String(cString: $0) },
    inTrigger: trigger != nil)
  if recorder.refusesSettings, action == SQLITE_PRAGMA, recorder.current?.changesSettings == true {
    return SQLITE_DENY
  }
  return SQLITE_OK
}
