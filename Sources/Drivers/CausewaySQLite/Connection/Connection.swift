import CSQLite
import CausewayDatabase

/// One SQLite connection with its statements.
///
/// It is confined to the actor that created it.
final class Connection {
  enum Access {
    case readWrite
    case readOnly
  }

  let database: OpaquePointer
  private let file: StoreFile
  /// The number of pages in the write-ahead log after the last commit of this connection.
  let log = LogSize()
  /// The rows that the open transaction has changed.
  let changed = ChangedRows()
  private let recorder = AccessRecorder()
  private var statements = StatementCache(capacity: 200)
  private var plans: [RecordPlan.Key: RecordPlan] = [:]
  /// The compiled ``ControlStatement``s.
  private var controls = [Statement?](repeating: nil, count: ControlStatement.allCases.count)
  private var isClosed = false

  /// Opens the file.
  ///
  /// Creates the file if it is missing and the access allows writing.
  init(_ file: StoreFile, access: Access) throws(PersistenceError) {
    // The connection needs no mutex, because an actor isolates it.
    let flags =
      SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
      | (access == .readWrite ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY)
      | (file.isImmutable ? SQLITE_OPEN_URI : 0)
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(file.name, &handle, flags, file.host?.vfs ?? file.vfs)
    guard code == SQLITE_OK, let handle else {
      let error = PersistenceError.sqlite(code, on: handle)
      sqlite3_close_v2(handle)
      throw error
    }
    self.file = file
    database = handle
    causeway_sqlite3_harden(handle)
    UnicodeText.attach(to: handle)
    if file.host != nil { Self.useSimulatedRandom(handle) }
    // `BusyTimeout` waits for long locks without blocking the thread. This short timeout of SQLite
    // is for the moments in which another process opens, recovers or closes the file.
    sqlite3_busy_timeout(handle, 20)
    recorder.attach(to: handle)
    log.attach(to: handle)
    if access == .readWrite { changed.attach(to: handle) }
    file.host?.opened(self)
  }

  deinit {
    close()
  }

  private func close() {
    statements.removeAll()
    plans = [:]
    controls = []
    if !isClosed { sqlite3_close_v2(database) }
    isClosed = true
  }

  /// Compiles a single statement with bound values.
  ///
  /// - Parameter refusesSettings: Whether to throw for a pragma that changes the connection.
  func prepare(_ sql: SQL, refusesSettings: Bool = false) throws(PersistenceError) -> Statement {
    recorder.refusesSettings = refusesSettings
    defer { recorder.refusesSettings = false }
    let limit = Int(sqlite3_limit(database, SQLITE_LIMIT_VARIABLE_NUMBER, -1))
    guard sql.bindings.count <= limit else {
      throw PersistenceError(
        .statement,
        message: "\(sql.bindings.count) values are bound, but a statement can have at most "
          + "\(limit); use several statements or a table of values")
    }
    return try prepare(sql.text)
  }

  /// Returns a compiled statement from the cache, or compiles it.
  func prepare(_ text: String) throws(PersistenceError) -> Statement {
    if let statement = statements.statement(for: text) { return statement }
    let (statement, length) = try compile(text, from: 0)
    guard let statement else {
      throw PersistenceError(.statement, message: "There is no statement", sql: text)
    }
    // Text after the first statement is allowed if it is a comment.
    if !isBlank(text, from: length), try compile(text, from: length).0 != nil {
      throw PersistenceError(.statement, message: "There is more than one statement", sql: text)
    }
    statements.insert(statement)
    return statement
  }

  /// Returns the cached plan for storing records of a type in a table.
  func plan(for key: RecordPlan.Key) -> RecordPlan {
    if let plan = plans[key] { return plan }
    // Programs usually have few record types and tables. The limit protects against programs that
    // generate table names.
    if plans.count >= 200 { plans = [:] }
    let plan = RecordPlan()
    plans[key] = plan
    return plan
  }

  /// Compiles and runs the statements of a script, one after the other.
  func forEachStatement(
    in script: String, _ body: (Statement) throws(PersistenceError) -> Void
  ) throws(PersistenceError) {
    var position = 0
    while position < script.utf8.count {
      let (statement, length) = try compile(script, from: position)
      guard let statement else { return }
      try body(statement)
      position += length
    }
  }

  /// Whether the text continues after its first semicolon.
  func isScript(_ text: String) -> Bool {
    guard let semicolon = text.utf8.firstIndex(of: UInt8(ascii: ";")) else { return false }
    return text[text.index(after: semicolon)...].contains { !$0.isWhitespace }
  }

  /// Performs one step, and returns whether there is a row.
  func step(_ statement: Statement) throws(PersistenceError) -> Bool {
    if recorder.current !== statement.access { recorder.current = statement.access }
    let code = sqlite3_step(statement.handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw failure(code, sql: statement.text)
  }

  /// Runs a statement of the service itself until it ends.
  func run(_ text: String) throws(PersistenceError) {
    let statement = try prepare(text)
    defer { statement.reset() }
    while try step(statement) {}
  }

  /// Runs a control statement, without a search for its compiled form.
  func run(_ control: ControlStatement) throws(PersistenceError) {
    guard controls.indices.contains(control.rawValue) else { throw .closed }
    let statement: Statement
    if let compiled = controls[control.rawValue] {
      statement = compiled
    } else {
      statement = try prepare(control.text)
      controls[control.rawValue] = statement
    }
    defer { statement.rewind() }
    _ = try step(statement)
  }

  /// Returns the first column of the first row, for a statement of the service itself.
  func text(_ query: String) throws(PersistenceError) -> String? {
    try texts(query, limit: 1).first
  }

  /// Returns the first column of all rows without NULLs, for a statement of the service itself.
  func texts(_ query: String, limit: Int = .max) throws(PersistenceError) -> [String] {
    let statement = try prepare(query)
    defer { statement.reset() }
    var texts: [String] = []
    while texts.count < limit, try step(statement) {
      if let text = sqlite3_column_text(statement.handle, 0) { texts.append(String(cString: text)) }
    }
    return texts
  }

  /// Returns the last error of the connection.
  ///
  /// Records damage for the service.
  ///
  /// - Parameter other: The connection that has the text of the error, if it is not this one.
  func failure(
    _ code: Int32, on other: Connection? = nil, sql: String? = nil
  ) -> PersistenceError {
    let error = PersistenceError.sqlite(code, on: other?.database ?? database, sql: sql)
    file.condition.note(error)
    return error
  }

  /// Whether a transaction is open.
  ///
  /// An error can end the transaction.
  var isInTransaction: Bool { sqlite3_get_autocommit(database) == 0 }

  /// Rolls back the open transaction, if there is one.
  func rollBack() {
    // A failure is ignored: either the transaction has already ended, or closing the connection
    // ends it.
    if isInTransaction { try? run(.rollBack) }
  }

  private func compile(
    _ text: String, from position: Int
  ) throws(PersistenceError) -> (Statement?, length: Int) {
    // SQLite would stop at a NUL, and would ignore the rest of the text without an error.
    guard !text.utf8.contains(0) else {
      throw PersistenceError(
        .statement, message: "The text of the statement has a NUL; bind such values instead")
    }
    let access = StatementAccess()
    recorder.current = access
    var text = text
    var handle: OpaquePointer?
    var length = 0
    let code = text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { characters in
        guard let start = characters.baseAddress else { return SQLITE_OK }
        var tail: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v3(
          database, start + position, Int32(characters.count - position),
          UInt32(SQLITE_PREPARE_PERSISTENT), &handle, &tail)
        length = tail.map { $0 - (start + position) } ?? 0
        return code
      }
    }
    guard code == SQLITE_OK else { throw failure(code, sql: text) }
    return (handle.map { Statement($0, text: text, access: access) }, length)
  }

  private func isBlank(_ text: String, from position: Int) -> Bool {
    text.utf8.dropFirst(position).allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
  }
}

extension Connection: DatabaseConnection {
  func abandon() { close() }

  /// The number of changed rows so far, including changes by triggers and foreign-key actions.
  var changeCount: Int64 { sqlite3_total_changes64(database) }
}
