import CPostgres
import CausewayDatabase
import CausewaySystem

/// One connection to a server, in libpq's pipeline mode.
///
/// Commands are collected into a batch, sent together and answered together. The connection never
/// blocks: ``advance()`` returns the events of the socket for which the caller must wait. A caller
/// either suspends its task, or blocks the thread of a closure.
final class Connection {
  let handle: OpaquePointer
  let canceller: Canceller
  /// The replies of the current batch.
  private(set) var replies: [Reply] = []
  /// Why the connection cannot be used any more.
  private(set) var failure: PersistenceError?
  private var statements = StatementCache()
  private var sent: [Command] = []
  /// The number of earlier batches whose replies are ignored.
  private var forgottenBatches = 0
  /// The number of batches that were sent and are not yet answered completely.
  private var openBatches = 0
  private var isReading = false
  /// How long the server may be silent while a statement runs; `nil` for no limit.
  var patience: Duration?
  /// Whether the server was silent for that time, and was asked to stop the statement.
  var wasSilent = false
  /// Whether the server has said that it ends the connection, so all its replies have arrived.
  ///
  /// A closed connection alone does not show this. A proxy or a network may have closed it while
  /// the server continues.
  private(set) var wasEndedByServer = false
  /// Whether the connection leads to the server itself, and not to a pool of connections.
  ///
  /// A pool may run each transaction on another connection to the server. Then statements have no
  /// names, and settings are valid for one transaction only.
  var isDirect = false {
    // Earlier statements were prepared without names, so the server does not know the cached names.
    didSet { statements = StatementCache() }
  }
  /// The conditions of partial indexes that upserts have used.
  var indexConditions: [ConflictTarget: String] = [:]
  /// Behind a pool, the statement that follows the beginning of each transaction.
  var settings: (text: String, values: [SQLValue])?

  private enum Command {
    case query(String)
    case preparation(StatementCache.Key)
    case description(StatementCache.Key)
    /// The removal of a prepared statement; its result is not a reply.
    case removal
  }

  /// How long the server may take to stop a statement.
  static let grace = Duration.seconds(5)
  /// How long the server may be silent after a cancellation, if it otherwise has no limit.
  static let patienceOfCancelled = Duration.seconds(30)

  /// - Parameter handle: An open connection, which this object closes.
  init(_ handle: OpaquePointer) throws(PersistenceError) {
    self.handle = handle
    canceller = Canceller(handle)
    guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { throw lost() }
  }

  deinit {
    PQfinish(handle)
  }

  var socket: Int32 { PQsocket(handle) }

  /// Whether another transaction may use the connection.
  var isUsable: Bool {
    failure == nil && !canceller.isRequested && PQstatus(handle) == CONNECTION_OK
  }

  /// Adds a statement without values to the batch.
  func add(_ text: String) throws(PersistenceError) {
    try check(PQsendQueryParams(handle, text, 0, nil, nil, nil, nil, 0))
    sent.append(.query(text))
  }

  /// Adds a statement that begins or commits a transaction to the batch.
  ///
  /// Almost every transaction contains the same two statements, so they stay prepared. They must
  /// not make the cache remove another statement, because the removal would fail in front of them:
  /// `BEGIN` must be the first statement, and a failed transaction accepts only `COMMIT` or
  /// `ROLLBACK`.
  func addControl(_ text: String) throws(PersistenceError) {
    if let failure { throw failure }
    let name = try prepare(StatementCache.Key(text: text, types: []), isPermanent: true)
    try check(PQsendQueryPrepared(handle, name, 0, nil, nil, nil, 0))
    sent.append(.query(text))
  }

  /// Adds a statement to the batch, and prepares it if this connection has not done so.
  ///
  /// - Parameter infersTypes: Whether the server chooses the types of all values. Otherwise numbers
  ///   and bytes have the types BIGINT, DOUBLE PRECISION and BYTEA.
  func add(
    _ text: String, _ values: [SQLValue], infersTypes: Bool = false
  ) throws(PersistenceError) {
    let key = try key(text, values, infersTypes: infersTypes)
    let parameters = try Parameters(values, inferred: statements[inferred: key] ?? [])
    let name = try prepare(key)
    let status = parameters.withPointers { pointers, lengths, formats in
      PQsendQueryPrepared(
        handle, name, Int32(values.count), pointers, lengths, formats, 0)
    }
    try check(status)
    sent.append(.query(text))
  }

  /// Adds a request for the types of a statement's values to the batch, if dates or lists need
  /// them.
  ///
  /// The text of a date depends on whether the column stores numbers or times. The text of a list
  /// depends on whether the column stores arrays or JSON.
  ///
  /// - Returns: Whether the caller must wait for the batch before it adds the statement.
  func askTypes(
    _ text: String, _ values: [SQLValue], infersTypes: Bool = false
  ) throws(PersistenceError) -> Bool {
    guard values.contains(where: \.dependsOnType) else { return false }
    let key = try key(text, values, infersTypes: infersTypes)
    guard statements[inferred: key] == nil else { return false }
    let name = try prepare(key)
    try check(PQsendDescribePrepared(handle, name))
    sent.append(.description(key))
    return true
  }

  private func key(
    _ text: String, _ values: [SQLValue], infersTypes: Bool
  ) throws(PersistenceError) -> StatementCache.Key {
    if let failure { throw failure }
    guard !text.utf8.contains(0) else {
      throw PersistenceError(.statement, message: "A statement contains the character NUL")
    }
    guard values.count <= 65_535 else {
      throw PersistenceError(
        .statement, message: "A statement has \(values.count) values; 65,535 are possible",
        sql: text)
    }
    return StatementCache.Key(text: text, types: infersTypes ? [] : Parameters.types(of: values))
  }

  /// Returns the name of a statement, after adding its preparation to the batch if it is new.
  private func prepare(
    _ key: StatementCache.Key, isPermanent: Bool = false
  ) throws(PersistenceError) -> String {
    let (name, isNew, evicted) = statements.use(key, isPermanent: isPermanent)
    guard isDirect else {
      try check(PQsendPrepare(handle, "", key.text, Int32(key.types.count), key.types))
      sent.append(.preparation(key))
      return ""
    }
    if let evicted {
      try check(PQsendQueryParams(handle, "DEALLOCATE \(evicted)", 0, nil, nil, nil, nil, 0))
      sent.append(.removal)
    }
    if isNew {
      try check(PQsendPrepare(handle, name, key.text, Int32(key.types.count), key.types))
      sent.append(.preparation(key))
    }
    return name
  }

  /// The replies of the current batch that have arrived.
  var arrivedReplies: [Reply] { forgottenBatches > 0 ? [] : replies }

  /// Forgets the replies of earlier batches, for a batch that may fail before it is sent.
  func forgetReplies() {
    replies = []
  }

  /// Asks the server to send the replies to the batch so far, before it runs the next command.
  func addFlush() throws(PersistenceError) {
    try check(PQsendFlushRequest(handle))
  }

  /// Ends the batch and begins to send it.
  func endBatch() throws(PersistenceError) {
    try check(PQpipelineSync(handle))
    replies = []
    openBatches += 1
    isReading = false
  }

  /// Ends the batch and sends it without waiting for its replies.
  ///
  /// If the connection was lost, its next use throws.
  func endForgottenBatch() throws(PersistenceError) {
    try endBatch()
    forgottenBatches += 1
    guard PQflush(handle) >= 0 else { throw lost() }
  }

  /// Whether the current batch has unread replies.
  var isBusy: Bool { openBatches > 0 }

  /// Sends and receives as much as possible without waiting.
  ///
  /// - Returns: The events to wait for; `nil` when all replies have arrived.
  func advance() throws(PersistenceError) -> Int16? {
    if let failure { throw failure }
    guard openBatches > 0 else { return nil }
    let flushed = PQflush(handle)
    guard flushed >= 0 else { throw lost() }
    if isReading, PQconsumeInput(handle) == 0 { throw lost() }
    isReading = true
    while PQisBusy(handle) == 0 {
      guard let result = PQgetResult(handle) else {
        guard PQstatus(handle) == CONNECTION_OK, !sent.isEmpty else { throw lost() }
        sent.removeFirst()
        continue
      }
      if PQresultStatus(result) == PGRES_PIPELINE_SYNC {
        PQclear(result)
        if endOfBatch() {
          canceller.end()
          return nil
        }
      } else {
        try take(QueryResult(result))
      }
    }
    return Int16(flushed == 1 ? POLLIN | POLLOUT : POLLIN)
  }

  /// Returns whether the batch that has ended is the current one.
  private func endOfBatch() -> Bool {
    openBatches -= 1
    if forgottenBatches > 0 {
      forgottenBatches -= 1
      replies = []
      return openBatches == 0
    }
    return true
  }

  private func take(_ result: QueryResult) throws(PersistenceError) {
    let command = sent.first
    switch PQresultStatus(result.handle) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
      switch command {
      case .query: replies.append(.result(result))
      case .description(let key):
        statements[inferred: key] = (0..<PQnparams(result.handle)).map {
          PQparamtype(result.handle, $0)
        }
      case .preparation, .removal, nil: break
      }
    case PGRES_PIPELINE_ABORTED:
      switch command {
      case .preparation(let key): statements.remove(key)
      case .query: replies.append(.skipped)
      case .description, .removal, nil: break
      }
    case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
      // libpq returns this result again and again until the rows have been exchanged.
      throw fail(.copyWithClient)
    default:
      guard PQstatus(handle) == CONNECTION_OK else { throw lost(after: result) }
      let text: String?
      switch command {
      case .query(let query): text = query
      case .preparation(let key):
        statements.remove(key)
        text = key.text
      case .description(let key): text = key.text
      case .removal, nil: text = nil
      }
      let error = PersistenceError.postgres(result.handle, sql: text)
      // The server ends the connection after such an error.
      if error.kind == .unavailable || error.endsConnection { failure = error }
      if error.isTransient, error.sqlState == "0A000" { failure = error }
      replies.append(.failure(error))
    }
  }

  /// Leaves the pipeline mode for a protocol that does not work in it; no batch may be open.
  func leavePipeline() throws(PersistenceError) {
    try check(PQexitPipelineMode(handle))
  }

  func enterPipeline() throws(PersistenceError) {
    try check(PQenterPipelineMode(handle))
  }

  /// Asks the server to stop the statement of a cancelled task, and gives up the connection.
  ///
  /// The caller does not wait for the server, which rolls back without the connection.
  func cancelled() -> PersistenceError {
    canceller.request()
    return fail(PersistenceError(.interrupted, message: "The task was cancelled"))
  }

  func check(_ status: Int32) throws(PersistenceError) {
    if let failure { throw failure }
    if status == 0 { throw lost() }
  }

  /// Marks the connection as lost and returns the error.
  func lost(after result: QueryResult? = nil) -> PersistenceError {
    if let failure { return failure }
    if let result, causeway_pq_state(result.handle) != nil {
      var error = PersistenceError.postgres(result.handle, sql: nil)
      error.kind = .unavailable
      wasEndedByServer = isDirect
      return fail(error)
    }
    let message = String(cString: PQerrorMessage(handle)).split(separator: "\n").first ?? ""
    return fail(.unavailable("The connection to the server ended: \(message)"))
  }

  func fail(_ error: PersistenceError) -> PersistenceError {
    failure = failure ?? error
    return error
  }
}
