import CPostgres
import CausewayDatabase
import CausewaySystem
import Foundation

/// The result of running a transaction once.
enum Attempt<Value: Sendable>: Sendable {
  case success(Value, CommittedChanges)
  /// The transaction is rolled back; `cause` is the server's failure, if there was one.
  case failure(any Error, cause: PersistenceError?)
  /// The connection ended during the commit.
  case uncertain(Value, CommittedChanges, PersistenceError)
}

/// The changes of a committed transaction.
struct CommittedChanges: Sendable {
  /// The transaction's identifier; `nil` if the change log is not used.
  var identifier: String?
  /// The changed tables; `nil` if they are unknown.
  var tables: Set<String>?
  var hasBegun = false

  static let none = CommittedChanges(tables: [])
}

/// The facts about a commit that the caller needs.
private struct CommitRequest {
  var log: ChangeLog?
  /// Whether the caller needs the names of the changed tables.
  var wantsChanges: Bool
}

/// One connection of the pool, used by one caller at a time.
///
/// It runs on the executor of its caller: closures run on body threads, and everything else on the
/// concurrent executor.
actor Session {
  private var connection: Connection?
  /// How long the connection waits for an answer; `nil` for no limit.
  private var patience: Duration?

  /// Whether another transaction may use the connection.
  var isUsable: Bool { connection?.isUsable ?? false }

  func open(
    _ url: String, _ settings: SessionSettings, until deadline: ContinuousClock.Instant
  ) async throws {
    let connection = try await Connection.open(url, until: deadline, isolation: self)
    patience = settings.patience
    connection.patience = patience
    // Behind a pool, the settings would stay on a connection that other clients use.
    let process = "\(PQbackendPID(connection.handle))"
    for (name, value) in settings.parameters {
      try connection.add(
        "SELECT set_config($1, $2, false) WHERE pg_backend_pid()::text = $3",
        [.text(name), .text(value), .text(process)])
    }
    try connection.add("SELECT pg_backend_pid()")
    try connection.endBatch()
    let replies = try await connection.wait(until: deadline, isCancellable: true, isolation: self)
    // A pool of connections reports process numbers of its own.
    connection.isDirect = try PostgresTransaction.results(replies).last?.text(0) == process
    if !connection.isDirect { connection.settings = settings.ofTransaction }
    self.connection = connection
  }

  func close() {
    connection = nil
  }

  /// Whether no pool of connections is in front of the server.
  var isDirect: Bool { connection?.isDirect ?? false }

  /// Runs a closure in a transaction that only reads.
  func read<T: Sendable>(
    _ body: @Sendable (any ReadTransaction) throws -> T
  ) -> Attempt<T> {
    guard let connection else { return .failure(PersistenceError.closed, cause: nil) }
    let transaction = PostgresTransaction(connection, mode: .read)
    do {
      defer { transaction.end() }
      try Task.checkCancellation()
      let value = try body(transaction)
      if transaction.hasBegun, connection.isUsable {
        // Nothing depends on the reply, so the next use of the connection receives it.
        try connection.addControl("COMMIT")
        try connection.endForgottenBatch()
      }
      return .success(value, .none)
    } catch {
      if transaction.hasBegun { try? rollBack(connection) }
      return .failure(thrown(error, transaction, connection), cause: transaction.failure)
    }
  }

  /// Runs a closure in a transaction and commits.
  ///
  /// Statements whose result the closure does not receive are sent with later statements. If such a
  /// statement fails, the closure runs again, and each statement is sent at once, so the closure
  /// receives the failure. The closure also runs again if an upsert has found no index, and then
  /// looks for partial indexes.
  ///
  /// - Parameters:
  ///   - wantsChanges: Whether the caller needs the names of the changed tables.
  func write<T: Sendable>(
    _ mode: TransactionMode, log: ChangeLog?, wantsChanges: Bool,
    _ body: @Sendable (any WriteTransaction) throws -> T
  ) async -> Attempt<T> {
    guard let connection else { return .failure(PersistenceError.closed, cause: nil) }
    connection.patience = mode.isLimited ? patience : nil
    defer { connection.patience = patience }
    let request = CommitRequest(log: log, wantsChanges: wantsChanges)
    let transaction = PostgresTransaction(connection, mode: mode, mayWait: true)
    let attempt = await run(transaction, request, body)
    guard case .failure(_, let cause?) = attempt, transaction.failedLate, !cause.isTransient,
      connection.isUsable
    else { return attempt }
    return await run(PostgresTransaction(connection, mode: mode), request, body)
  }

  private func run<T: Sendable>(
    _ transaction: PostgresTransaction, _ request: CommitRequest,
    _ body: @Sendable (any WriteTransaction) throws -> T
  ) async -> Attempt<T> {
    let connection = transaction.connection
    let value: T
    do {
      defer { transaction.end() }
      try Task.checkCancellation()
      value = try body(transaction)
      if transaction.failure != nil { throw PersistenceError.aborted }
      // A cancellation does not stop the commit, but it stops the statements that wait.
      if transaction.waitingReplies > 0 { try Task.checkCancellation() }
    } catch {
      // The closure may have thrown because it does not know that a waiting statement fails.
      transaction.runWaiting()
      transaction.dropWaiting()
      if transaction.hasBegun { try? rollBack(connection) }
      return .failure(thrown(error, transaction, connection), cause: transaction.failure)
    }
    guard transaction.hasBegun else { return .success(value, .none) }
    let count = transaction.waitingReplies
    do {
      return .success(value, try await commit(transaction, request))
    } catch let error as PersistenceError {
      if connection.failure != nil, !error.isTransient {
        // The server sends these replies before it begins the commit.
        let replies = Array(connection.arrivedReplies.prefix(count))
        guard (try? transaction.takeWaiting(replies)) != nil,
          replies.count == count || !connection.wasEndedByServer
        else { return .failure(error, cause: error) }
        return .uncertain(
          value, CommittedChanges(identifier: transaction.identifier, hasBegun: true), error)
      }
      try? rollBack(connection)
      let isCancelled = connection.canceller.isRequested && Task.isCancelled
      return .failure(
        isCancelled && error.kind == .timedOut ? CancellationError() : error, cause: error)
    } catch {
      return .failure(error, cause: nil)
    }
  }

  /// Runs statements in one transaction that only reads, without blocking a thread.
  func query(_ statements: [(text: String, values: [SQLValue])]) async throws -> [QueryResult] {
    guard let connection else { throw PersistenceError.closed }
    var asks = false
    for (text, values) in statements where try connection.askTypes(text, values) { asks = true }
    if asks {
      try connection.endBatch()
      let replies = try await connection.wait(isCancellable: true, isolation: self)
      _ = try PostgresTransaction.results(replies)
    }
    try connection.addControl(TransactionMode.read.begin)
    if let (text, values) = connection.settings { try connection.add(text, values) }
    for (text, values) in statements { try connection.add(text, values) }
    try connection.addControl("COMMIT")
    try connection.endBatch()
    try connection.look()
    let replies = try await connection.wait(isCancellable: true, isolation: self)
    do {
      let results = try PostgresTransaction.results(replies.dropLast())
      return Array(results.dropFirst(connection.settings == nil ? 1 : 2))
    } catch {
      try? rollBack(connection)
      throw error
    }
  }

  /// Runs a query and decodes its rows, without blocking a thread.
  func rows<T: Decodable & Sendable>(_ query: SQL, as type: T.Type) async throws -> [T] {
    try await self.query([(query.numberedText, query.bindings)])
      .last?.rows(as: type, sql: query.text) ?? []
  }

  /// Runs one statement outside a transaction, and returns its rows as texts.
  func run(
    _ text: String, _ values: [SQLValue] = [], until deadline: ContinuousClock.Instant? = nil
  ) async throws -> [[String?]] {
    guard let connection else { throw PersistenceError.closed }
    try connection.add(text, values)
    try connection.endBatch()
    let replies = try await connection.wait(
      until: deadline, isCancellable: deadline != nil, isolation: self)
    guard let result = try PostgresTransaction.results(replies).last else { return [] }
    return (0..<result.rowCount).map { row in
      (0..<PQnfields(result.handle)).map { result.text($0, row: row) }
    }
  }

  /// Waits for a notification of the server, until a deadline or a cancellation.
  func waitForNotification(until deadline: ContinuousClock.Instant) async throws {
    guard let connection else { throw PersistenceError.closed }
    while true {
      var count = 0
      while let notification = PQnotifies(connection.handle) {
        PQfreemem(notification)
        count += 1
      }
      if count > 0 { return }
      let outcome = await Readiness.shared.wait(
        for: connection.socket, Int16(POLLIN), until: deadline, isCancellable: true)
      guard outcome == .ready else { return }
      if PQconsumeInput(connection.handle) == 0 { throw connection.lost() }
    }
  }

  private func commit(
    _ transaction: PostgresTransaction, _ request: CommitRequest
  ) async throws -> CommittedChanges {
    let connection = transaction.connection
    let count = transaction.waitingReplies
    connection.forgetReplies()
    // If the connection ends, the replies show whether the server has begun the commit.
    if count > 0 { try connection.addFlush() } else { connection.canceller.end() }
    let log = transaction.hasToken ? request.log : nil
    let schema = log != nil && transaction.changesSchema
    if let log, schema {
      try connection.add(log.watch)
      try connection.add(log.noteSchemaChange)
    }
    try connection.addControl("COMMIT")
    let wantsTables = log != nil && request.wantsChanges
    if let log, wantsTables { try connection.add(log.changesOfLast, []) }
    try connection.endBatch()
    // This code runs on a body thread, which may block for a moment. A slow commit suspends the
    // task.
    try connection.waitBriefly()
    let replies = try await connection.waitForCommit(after: count, isolation: self)
    let rest = try transaction.takeWaiting(replies)
    let last = schema ? 3 : 1
    let ending = try PostgresTransaction.results(rest.prefix(last))
    // The server rolls back instead if a statement has failed.
    guard ending.last?.command == "COMMIT" else { throw PersistenceError.aborted }
    var changes = CommittedChanges(identifier: transaction.identifier, hasBegun: true)
    // The transaction is committed, even if a cancellation has stopped one of these queries.
    guard var details = try? PostgresTransaction.results(rest.dropFirst(last)) else {
      return changes
    }
    if wantsTables, !schema, let tables = details.popLast() {
      changes.tables = Set((0..<tables.rowCount).compactMap { tables.text(0, row: $0) })
    }
    return changes
  }

  private func rollBack(_ connection: Connection) throws(PersistenceError) {
    guard connection.isUsable else { return }
    try connection.add("ROLLBACK")
    try connection.endForgottenBatch()
  }

  private func thrown(
    _ error: any Error, _ transaction: PostgresTransaction, _ connection: Connection
  ) -> any Error {
    let isInterrupted = transaction.failure?.kind == .interrupted
    return connection.canceller.isRequested && isInterrupted ? CancellationError() : error
  }
}

extension Session {
  /// Returns the tables that a query reads, with ``ChangeLog/unwatched`` if the log does not contain
  /// all their changes.
  ///
  /// If a plan names no relation, the server may have left out partitions without matching rows.
  func tables(of query: SQL, in log: ChangeLog) async throws -> Set<String> {
    let plan = try await self.query([QueryTables.explanation(of: query)])
    let sources = QueryTables.sources(inPlan: plan.last?.text(0) ?? "")
    let names = try JSONEncoder().encode(sources.relations)
    let rows = try await run(
      QueryTables.watched,
      [.text(String(decoding: names, as: UTF8.self)), .text(log.triggerFunction)])
    var tables = Set(rows.compactMap { row in row[1] == "t" ? row[0] : nil })
    if rows.isEmpty || sources.hidesRelations || rows.contains(where: { $0[2] != "t" }) {
      tables.insert(ChangeLog.unwatched)
    }
    return tables
  }
}
