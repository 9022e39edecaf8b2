import CausewayData

/// Reads and writes through one connection, inside one closure on a body thread.
///
/// The transaction begins with its first statement, in the same batch.
final class PostgresTransaction: WriteTransaction {
  let connection: Connection
  /// How the first statement begins the transaction; `nil` after it has begun.
  private var opening: TransactionMode?
  private(set) var isOpen = true
  /// The number by which the server identifies the transaction.
  private(set) var identifier: String?
  /// The first failure, after which the server accepts no statements.
  private(set) var failure: PersistenceError?
  private(set) var changesSchema = false
  private var bulkTables: [String: BulkTable?] = [:]

  init(_ connection: Connection, mode: TransactionMode) {
    self.connection = connection
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

  @discardableResult
  func execute(_ statement: SQL) throws(PersistenceError) -> Int {
    let commands = try check(statement.text)
    guard commands > 1, statement.bindings.isEmpty else {
      return try run(statement.numberedText, statement.bindings).changedRows
    }
    try begin()
    return try failing { () throws(PersistenceError) in
      try connection.runScript(statement.text).last?.changedRows ?? 0
    }
  }

  func insert<Records: Sequence>(_ records: Records, into table: String) throws(PersistenceError)
  where Records.Element: Encodable {
    try RecordWriter(self, table: table, conflict: nil).store(records)
  }

  func upsert<Records: Sequence>(
    _ records: Records, into table: String, key: [String]
  ) throws(PersistenceError) where Records.Element: Encodable {
    try RecordWriter(self, table: table, conflict: key).store(records)
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

  /// Asks the server for the types of the values of statements, if dates need them.
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
      try connection.endBatch()
      _ = try Self.results(try connection.waitBlocking(isCancellable: true))
    }
  }

  /// Runs statements in one batch, which begins the transaction if it has not begun.
  func runBatch(
    _ add: () throws(PersistenceError) -> Void
  ) throws(PersistenceError) -> [QueryResult] {
    try checkState()
    return try failing { () throws(PersistenceError) in
      let opening = opening
      if let opening {
        try connection.addControl(opening.begin)
        if let token = opening.token {
          try connection.add(TransactionMode.identify, [.text(token)])
        }
        self.opening = nil
      }
      do throws(PersistenceError) {
        try add()
      } catch {
        // Earlier commands of the batch may have been sent.
        try connection.endBatch()
        _ = try connection.waitBlocking(isCancellable: true)
        throw error
      }
      try connection.endBatch()
      var replies = try connection.waitBlocking(isCancellable: true)[...]
      if let opening {
        // A server that cannot begin the transaction is a standby.
        if case .failure(let error)? = replies.first {
          throw connection.fail(.unavailable(error.message))
        }
        _ = replies.popFirst()
        if opening.token != nil, case .result(let result)? = replies.first {
          identifier = result.text(0)
          _ = replies.popFirst()
        }
      }
      return try Self.results(replies)
    }
  }

  private func run(
    _ text: String, _ values: [SQLValue], infersTypes: Bool = false
  ) throws(PersistenceError) -> QueryResult {
    try learnTypes(CollectionOfOne((text, values)), infersTypes: infersTypes)
    let results = try runBatch { () throws(PersistenceError) in
      try connection.add(text, values, infersTypes: infersTypes)
    }
    guard let result = results.last else { throw PersistenceError.aborted }
    return result
  }

  /// Begins the transaction, if no statement has done so.
  func begin() throws(PersistenceError) {
    if !hasBegun { _ = try runBatch { () throws(PersistenceError) in } }
  }

  /// Returns what `COPY` needs to know of a table; `nil` if it cannot be used.
  ///
  /// It can be used only for a table, and only without row security.
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
      if let type, ServerTime.isTime(type), let name = columns.text(0, row: row) {
        found.times.insert(name)
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
    guard isOpen else {
      throw PersistenceError(
        .statement, message: "The transaction has ended; use it only inside its closure")
    }
    guard failure == nil else { throw .aborted }
  }

  /// Throws if a statement begins or ends a transaction; returns the number of statements.
  @discardableResult
  private func check(_ text: String) throws(PersistenceError) -> Int {
    try checkState()
    let statements = StatementText(text)
    guard !statements.controlsTransaction else {
      throw PersistenceError(
        .statement, message: "The service begins and ends transactions by itself", sql: text)
    }
    if statements.changesSchema { changesSchema = true }
    return statements.commands.count
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
  static let identify =
    "SELECT pg_current_xact_id()::text, set_config('causeway.token', $1, true)"
}
