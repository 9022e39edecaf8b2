import CausewayDatabase

/// Reads and writes through one connection, inside one closure on a thread of `BlockingThreads`.
///
/// The transaction begins with its first statement, in the same batch. A statement whose result the
/// closure does not receive can wait in the batch for a later statement or for the commit.
final class PostgresTransaction: WriteTransaction {
  /// The largest number of statements that wait in a batch, and of the bytes of their values.
  private static let waitingLimit = (statements: 256, bytes: 1 << 20)

  let connection: Connection
  /// How the first statement begins the transaction; `nil` after it was added to a batch.
  private var opening: TransactionMode?
  /// The commands that the current batch already contains.
  private var waiting = Waiting()
  /// Whether statements may wait.
  let mayWait: Bool
  /// Whether the transaction marks its entries in the change log.
  let hasToken: Bool
  private(set) var isOpen = true
  /// The number by which the server identifies the transaction.
  private(set) var identifier: String?
  /// The first failure, after which the server accepts no statements.
  private(set) var failure: PersistenceError?
  /// Whether the closure had continued before the failure of its statement was known.
  private(set) var failedLate = false
  private(set) var changesSchema = false
  private var bulkTables: [String: BulkTable?] = [:]

  private struct Waiting {
    var opening: TransactionMode?
    /// Whether the settings of the transaction follow its beginning.
    var hasSettings = false
    var statements = 0
    var bytes = 0

    /// The number of replies to expect.
    var replies: Int {
      statements + (opening.map { $0.token == nil ? 1 : 2 } ?? 0) + (hasSettings ? 1 : 0)
    }
  }

  /// - Parameter mayWait: Whether a statement may be sent together with later statements. Then the
  ///   closure continues before it is known whether the statement fails.
  init(_ connection: Connection, mode: TransactionMode, mayWait: Bool = false) {
    self.connection = connection
    self.mayWait = mayWait
    hasToken = mode.token != nil
    opening = mode
  }

  var hasBegun: Bool { opening == nil }

  /// Invalidates the transaction, in case the closure has stored a reference to it.
  func end() {
    isOpen = false
  }

  func rows<T: Decodable>(_ query: SQL, as type: T.Type) throws(PersistenceError) -> [T] {
    try check(query.text)
    return try run(query.numberedText, query.bindings).rows(as: type, sql: query.text)
  }

  func row<T: Decodable>(_ query: SQL, as type: T.Type) throws(PersistenceError) -> T? {
    try check(query.text)
    return try run(query.numberedText, query.bindings)
      .rows(as: type, sql: query.text, limit: 1).first
  }

  func execute(_ statement: SQL) throws(PersistenceError) {
    let commands = try check(statement.text)
    // Other statements may change the connection, for example with SET, LOCK or COPY.
    guard commands.count == 1, ["INSERT", "UPDATE", "DELETE"].contains(commands[0]) else {
      _ = try executeAndCount(statement)
      return
    }
    // The flush makes the server answer each statement, because each has its own time limit.
    if waiting.statements > 0 { try connection.addFlush() }
    try runLater(CollectionOfOne((statement.numberedText, statement.bindings)))
  }

  func executeAndCount(_ statement: SQL) throws(PersistenceError) -> Int {
    let commands = try check(statement.text)
    return try recovering(by: commands) { () throws(PersistenceError) in
      guard commands.count > 1, statement.bindings.isEmpty else {
        return try run(statement.numberedText, statement.bindings).changedRows
      }
      try begin()
      return try failing { () throws(PersistenceError) in
        try connection.runScript(statement.text).last?.changedRows ?? 0
      }
    }
  }

  /// Runs commands; after a failure, only if they begin with a rollback to a savepoint.
  private func recovering(
    by commands: [String], _ run: () throws(PersistenceError) -> Int
  ) throws(PersistenceError) -> Int {
    let undoes = commands.contains(StatementText.rollbackTo)
    // The rollback may undo a change of the schema.
    if undoes { bulkTables = [:] }
    guard let former = failure else { return try run() }
    // After a late failure, the closure runs again, and gets the error where it runs the statement.
    guard commands.first == StatementText.rollbackTo, !failedLate else { throw .aborted }
    failure = nil
    do {
      return try run()
    } catch {
      // If the connection is lost, that error stays the failure of the transaction.
      if connection.isUsable { failure = former }
      throw error
    }
  }

  func insert<Records: Sequence>(_ records: Records, into table: String) throws(PersistenceError)
  where Records.Element: Encodable {
    try RecordWriter.store(records, into: table, conflict: nil, self)
  }

  func upsert<Records: Sequence>(
    _ records: Records, into table: String, key: [String]
  ) throws(PersistenceError) where Records.Element: Encodable {
    try RecordWriter.store(records, into: table, conflict: key, self)
  }

  func delete<Record: Encodable>(
    _ record: Record, from table: String, key: [String]
  ) throws(PersistenceError) -> Bool {
    let columns = RecordColumns()
    try columns.encode(record)
    let condition = key.enumerated()
      .map { "\(SQL.quoted($0.element)) = $\($0.offset + 1)" }.joined(separator: " AND ")
    let text = "DELETE FROM \(SQL.quoted(table)) WHERE \(condition)"
    return try run(text, columns.values(of: key), infersTypes: true).changedRows > 0
  }

  /// Asks the server for the types of the values in statements, if dates or lists need them.
  ///
  /// Call it before a batch with these statements.
  func learnTypes(
    _ statements: some Sequence<(text: String, values: [SQLValue])>, infersTypes: Bool
  ) throws(PersistenceError) {
    try checkState()
    try failing { () throws(PersistenceError) in
      var asks = false
      for (text, values) in statements
      where try connection.askTypes(text, values, infersTypes: infersTypes) { asks = true }
      guard asks else { return }
      _ = try Self.results(finishBatch())
    }
  }

  /// Adds statements to the batch of the next statement or of the commit.
  ///
  /// If statements must not wait, this function runs them and waits for their results.
  func runLater(
    _ statements: some Sequence<(text: String, values: [SQLValue])>, infersTypes: Bool = false
  ) throws(PersistenceError) {
    try learnTypes(statements, infersTypes: infersTypes)
    var (count, bytes) = (0, 0)
    let add = { [connection] () throws(PersistenceError) in
      for (text, values) in statements {
        try connection.add(text, values, infersTypes: infersTypes)
        count += 1
        for value in values { bytes += value.byteCount }
      }
    }
    guard mayWait else {
      _ = try runBatch(add)
      return
    }
    try failing { () throws(PersistenceError) in try adding(add) }
    waiting.statements += count
    waiting.bytes += bytes
    let limit = Self.waitingLimit
    if waiting.statements >= limit.statements || waiting.bytes >= limit.bytes { try begin() }
  }

  /// Runs statements in one batch, which begins the transaction if it has not begun.
  func runBatch(
    _ add: () throws(PersistenceError) -> Void
  ) throws(PersistenceError) -> [QueryResult] {
    try checkState()
    return try failing { () throws(PersistenceError) in
      try adding(add)
      return try Self.results(finishBatch())
    }
  }

  /// Runs the waiting statements of a closure that has thrown, to learn whether one of them fails.
  func runWaiting() {
    guard waiting.statements > 0, failure == nil, connection.isUsable, !Task.isCancelled else {
      return
    }
    try? failing { () throws(PersistenceError) in _ = try finishBatch() }
  }

  /// Ends the batch of the waiting statements, and ignores its replies.
  ///
  /// The rollback must not be in the same batch. After a failure, the server skips the other
  /// statements of the batch, so it would skip the rollback.
  func dropWaiting() {
    guard waiting.replies > 0 else { return }
    waiting = Waiting()
    if Task.isCancelled {
      // The statements may not have been sent yet. The server rolls back without the connection.
      _ = connection.fail(PersistenceError(.interrupted, message: "The task was cancelled"))
    } else {
      try? connection.endForgottenBatch()
    }
  }

  /// Adds commands to the batch, after the statement that begins the transaction.
  private func adding(_ add: () throws(PersistenceError) -> Void) throws(PersistenceError) {
    if let opening {
      self.opening = nil
      waiting.opening = opening
      try connection.addControl(opening.begin)
      if let (text, values) = connection.settings {
        waiting.hasSettings = true
        try connection.add(text, values)
      }
      if let token = opening.token {
        try connection.add(TransactionMode.identify, [.text(token)])
      }
    }
    do throws(PersistenceError) {
      try add()
    } catch {
      // Earlier commands of the batch may have been sent.
      _ = try finishBatch()
      throw error
    }
  }

  /// Sends the batch and waits; returns the replies to its last statements.
  private func finishBatch() throws(PersistenceError) -> ArraySlice<Reply> {
    try connection.endBatch()
    return try takeWaiting(connection.waitBlocking(isCancellable: true))
  }

  /// The number of replies before the reply to the next statement of the batch.
  var waitingReplies: Int { waiting.replies }

  /// Removes the replies to the commands that were added to the batch before its last statements.
  func takeWaiting(_ replies: [Reply]) throws(PersistenceError) -> ArraySlice<Reply> {
    var replies = replies[...]
    let waiting = waiting
    self.waiting = Waiting()
    if let opening = waiting.opening {
      // A server that cannot begin the transaction is a standby.
      if case .failure(let error)? = replies.first {
        throw connection.fail(.unavailable(error.message))
      }
      _ = replies.popFirst()
      if waiting.hasSettings { _ = try Self.results(replies.prefix(1)) }
      if waiting.hasSettings { _ = replies.popFirst() }
      if opening.token != nil, case .result(let result)? = replies.first {
        identifier = result.text(0)
        _ = replies.popFirst()
      }
    }
    do throws(PersistenceError) {
      _ = try Self.results(replies.prefix(waiting.statements))
    } catch {
      failedLate = true
      throw error
    }
    return replies.dropFirst(waiting.statements)
  }

  func run(
    _ text: String, _ values: [SQLValue], infersTypes: Bool = false
  ) throws(PersistenceError) -> QueryResult {
    try learnTypes(CollectionOfOne((text, values)), infersTypes: infersTypes)
    let results = try runBatch { () throws(PersistenceError) in
      try connection.add(text, values, infersTypes: infersTypes)
    }
    guard let result = results.last else { throw PersistenceError.aborted }
    return result
  }

  /// Begins the transaction, if no statement has done so, and runs the statements that wait.
  func begin() throws(PersistenceError) {
    guard !hasBegun || waiting.replies > 0 else { return }
    _ = try runBatch { () throws(PersistenceError) in }
  }

  /// Returns the facts about a table that `COPY` needs; `nil` if `COPY` cannot be used.
  ///
  /// `COPY` can be used only for a table, and only without row security.
  func bulkTable(_ table: String) throws(PersistenceError) -> BulkTable? {
    if let known = bulkTables[table] { return known }
    let columns = try run(
      """
      SELECT a.attname, coalesce(nullif(t.typbasetype, 0), t.oid)
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
      JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
      WHERE c.oid = pg_catalog.to_regclass($1) AND c.relkind IN ('r', 'p')
      AND NOT c.relrowsecurity AND a.attnum > 0
      """, [.text(SQL.quoted(table))])
    var found = BulkTable(name: table)
    for row in 0..<columns.rowCount {
      let type = columns.text(1, row: row).flatMap { UInt32($0) }
      if let type, let name = columns.text(0, row: row) {
        if ServerTime.isTime(type) { found.times.insert(name) }
        if let element = ServerArray.element(of: type) { found.arrays[name] = element }
      }
    }
    let result = columns.rowCount > 0 ? found : nil
    bulkTables[table] = .some(result)
    return result
  }

  /// Records a failure of the server, after which the transaction can only be rolled back.
  func failing<T>(_ body: () throws(PersistenceError) -> T) throws(PersistenceError) -> T {
    do {
      return try body()
    } catch {
      failure = failure ?? error
      throw error
    }
  }

  private func checkState() throws(PersistenceError) {
    try checkOpen()
    guard failure == nil else { throw .aborted }
  }

  private func checkOpen() throws(PersistenceError) {
    guard isOpen else {
      throw PersistenceError(
        .statement, message: "The transaction has ended; use it only inside its closure")
    }
  }

  /// Throws if a statement begins or ends a transaction; returns the first word of each statement.
  @discardableResult
  private func check(_ text: String) throws(PersistenceError) -> [String] {
    try checkOpen()
    let statements = StatementText(text)
    guard !statements.controlsTransaction else {
      throw PersistenceError(
        .statement, message: "The service begins and ends transactions by itself", sql: text)
    }
    if statements.changesSchema { changesSchema = true }
    return statements.commands
  }

  /// Returns the results, or throws the first failure.
  static func results(
    _ replies: some Sequence<Reply>
  ) throws(PersistenceError) -> [QueryResult] {
    var results: [QueryResult] = []
    for reply in replies {
      switch reply {
      case .result(let result): results.append(result)
      case .failure(let error): throw error
      case .skipped: throw .aborted
      }
    }
    return results
  }
}

/// A table that `COPY` can write.
struct BulkTable {
  let name: String
  /// The columns in which a date is a time and not a number.
  var times: Set<String> = []
  /// The element types of the columns that store arrays.
  var arrays: [String: UInt32] = [:]
}

/// How a transaction begins.
struct TransactionMode {
  /// The statement that begins it.
  let begin: String
  /// The text that marks its entries in the change log; `nil` if there are none.
  var token: String?
  /// Whether the limit for an answer of the server applies.
  var isLimited = true

  static let read = TransactionMode(begin: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

  /// Returns the identifier of the transaction, and stores its token for the triggers.
  ///
  /// The identifier is stored too, for ``ChangeLog/changesOfLast`` after the commit.
  static let identify = """
    SELECT set_config('causeway.transaction', pg_current_xact_id()::text, false),
      set_config('causeway.token', $1, true)
    """
}

extension SQLValue {
  /// The number of bytes of a text or of bytes; other values are short.
  fileprivate var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    case .uuid: 36
    case .null, .boolean, .integer, .real, .date: 8
    }
  }
}
