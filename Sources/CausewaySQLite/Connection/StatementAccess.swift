import CSQLite

/// What a statement reads and may change, as reported by SQLite's compiler.
///
/// The compiler also reports what the update hook leaves out: deletes that drop a whole table's
/// content at once, tables without row ids, replaced rows, virtual tables and changes of the schema.
/// Triggers and foreign-key actions are compiled with their statement and counted too.
final class StatementAccess {
  /// Tables in lower case: SQLite reports some names as the statement spells them.
  private(set) var reads: Set<String> = []
  /// Tables in lower case.
  private(set) var writes: Set<String> = []
  private(set) var changesSchema = false
  private(set) var controlsTransaction = false
  /// Whether it is a pragma that does more than report.
  private(set) var changesSettings = false

  fileprivate func note(_ action: Int32, _ name: String?, _ argument: String?) {
    switch action {
    case SQLITE_READ, SQLITE_SELECT:
      if let name { reads.insert(name.lowercased()) }
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      if let name { writes.insert(name.lowercased()) }
    case SQLITE_PRAGMA:
      let name = name?.lowercased() ?? ""
      changesSettings =
        argument == nil ? Self.actingPragmas.contains(name) : !Self.askingPragmas.contains(name)
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
      controlsTransaction = true
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

  /// Pragmas whose argument says what to report.
  private static let askingPragmas: Set = [
    "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo",
    "integrity_check", "quick_check", "table_info", "table_list", "table_xinfo",
  ]

  /// Pragmas that act without an argument.
  private static let actingPragmas: Set = [
    "incremental_vacuum", "optimize", "shrink_memory", "wal_checkpoint",
  ]
}

/// Listens to SQLite's compiler for one connection.
///
/// SQLite compiles not only when asked: a statement that the schema has outrun is compiled again
/// inside its next step, so the statement that runs is always the current one.
final class AccessRecorder {
  var current: StatementAccess?
  /// Whether pragmas that do more than report are refused; some act while they are compiled.
  var refusesSettings = false

  /// Starts to listen; the recorder has to live as long as the connection.
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
    action, name.map { String(cString: $0) }, detail.map { String(cString: $0) })
  if recorder.refusesSettings, action == SQLITE_PRAGMA, recorder.current?.changesSettings == true {
    return SQLITE_DENY
  }
  return SQLITE_OK
}
