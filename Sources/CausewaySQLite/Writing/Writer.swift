import CSQLite
import CausewayData

/// The one connection that writes.
///
/// A transaction runs without suspension, on a thread of its own or on that of its caller, see
/// ``SQLiteService/Configuration/threads``. Locks of other processes are awaited by suspending between
/// attempts, before the transaction has begun.
actor Writer {
  /// Writes that share one commit at most.
  private static let batchLimit = 128
  /// How long new readers are held back so that the log can start over.
  private static let longestPause = Duration.milliseconds(100)

  /// `nil` once closed, or if a new file could not be opened after the old one was set aside.
  var connection: Connection?
  private var isClosed = false
  private var lockWait = LockWait()
  /// How many pages the log may have before readers are held back for it.
  private var logLimit: Int
  private nonisolated let executor: ConnectionExecutor
  nonisolated let queue = WriteQueue()
  nonisolated let configuration: SQLiteService.Configuration
  nonisolated let file: StoreFile
  nonisolated let migrations: [Migration]
  nonisolated let live: LiveQueries
  nonisolated let readers: ReaderPool
  var dataVersion = ""
  /// The changes of the connection when what deleted rows left was last removed.
  var erasedChanges: Int64?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unowned }

  /// Opens the file and makes its schema current.
  init(
    _ file: StoreFile, readers: ReaderPool, live: LiveQueries, migrations: [Migration],
    configuration: SQLiteService.Configuration
  ) async throws {
    executor = ConnectionExecutor(configuration.threads)
    self.file = file
    self.readers = readers
    self.live = live
    self.migrations = migrations
    self.configuration = configuration
    logLimit = configuration.longestLog
    do {
      try await open()
    } catch {
      guard file.condition.isNoted else { throw error }
      try await startAnew()
      if connection == nil { throw error }
    }
  }

  /// Runs a closure in a transaction that it may share with others, and commits.
  nonisolated func write<T: Sendable>(
    _ body: @escaping @Sendable (SQLiteWriteTransaction) throws -> T
  ) async throws -> T {
    try Task.checkCancellation()
    let (outcome, entered) = (Outcome<T>(), ContinuousClock.now)
    let job = WriteJob { outcome.store(try body($0)) }
    if try await queue.enter(job) == .lead {
      try await lead(job, entered: entered)
    }
    return try outcome.take()
  }

  /// Whether another process, or another service on this file, has committed since the last call.
  ///
  /// Returns `nil` once the service is closed.
  func sawForeignCommit() -> Bool? {
    guard let connection else { return isClosed ? nil : false }
    if noteLocation(), configuration.whenDamaged == .startAnew {
      file.condition.requireReopening()
      return true
    }
    // A file that cannot be read is reported by the queries that read it.
    guard let version = try? connection.text("PRAGMA data_version") else { return false }
    defer { dataVersion = version }
    return version != dataVersion
  }

  /// Waits for running transactions and closes the file.
  nonisolated func close() async throws(PersistenceError) {
    do { try await queue.lead() } catch { return }
    try await closeAsLeader()
  }

  private func closeAsLeader() async throws(PersistenceError) {
    queue.close()
    // First, so that consumers see an end and not the error of a closed reader.
    live.close()
    await readers.close()
    isClosed = true
    defer { connection = nil }
    // SQLite deletes the log by its name, which may belong to another file by now.
    if file.hasLostWrites { connection?.keepLogWhenClosed() }
    file.condition.opened = StoreFile.OpenFiles()
    try connection?.checkpoint(.truncate)
  }

  private func lead(_ job: WriteJob, entered: ContinuousClock.Instant) async throws {
    defer { queue.leave() }
    if isClosed { throw PersistenceError.closed }
    // What a damaged cache, or one that was moved away, would still take is lost.
    if file.condition.isNoted || (configuration.whenDamaged == .startAnew && file.isReplaced) {
      try await startAnew()
    }
    guard let connection else { throw PersistenceError.closed }
    let now = ContinuousClock.now
    let timeout = BusyTimeout(
      configuration.busyTimeout, since: lockWait.start(of: entered, now: now))
    do {
      try await timeout.retry { try connection.run("BEGIN IMMEDIATE") }
      lockWait.end()
    } catch let error as PersistenceError where error.kind == .busy {
      lockWait.giveUp(since: now)
      throw error
    }
    let followers = queue.takeFollowers(limit: Self.batchLimit - 1)
    guard !followers.isEmpty else {
      try commit(job, on: connection)
      if connection.log.pages >= configuration.checkpointPages { await limitLog(of: connection) }
      return
    }
    let results = commit([job] + followers.compactMap(\.job), on: connection)
    for (follower, result) in zip(followers, results.dropFirst()) {
      follower.waiter.resume(returning: result.map { .done })
    }
    await limitLog(of: connection)
    try results[0].get()
  }

  /// Runs one job inside the transaction that has begun, and commits.
  private func commit(_ job: WriteJob, on connection: Connection) throws {
    let transaction = SQLiteWriteTransaction(connection)
    do {
      defer { transaction.end() }
      try job.perform(transaction)
      guard connection.isInTransaction else { throw PersistenceError.aborted }
      // As late as possible. A file that is removed after this is lost like after the commit.
      try checkLocation()
      try connection.run("COMMIT")
    } catch {
      connection.rollBack()
      throw error
    }
    live.invalidate(transaction.changes)
  }

  /// Runs jobs inside the transaction that has begun, and commits those that did not throw.
  private func commit(
    _ jobs: [WriteJob], on connection: Connection
  ) -> [Result<Void, any Error>] {
    var changes = TableChanges.none
    var results: [Result<Void, any Error>] = []
    for job in jobs {
      results.append(Result { changes.formUnion(try run(job, on: connection)) })
    }
    do {
      if !connection.isInTransaction { throw PersistenceError.aborted }
      try checkLocation()
      try connection.run("COMMIT")
      live.invalidate(changes)
    } catch {
      connection.rollBack()
      // Jobs that had succeeded were not stored either; a failed one keeps its own error.
      results = results.map { result in result.flatMap { .failure(error) } }
    }
    return results
  }

  private func run(_ job: WriteJob, on connection: Connection) throws -> TableChanges {
    let transaction = SQLiteWriteTransaction(connection)
    defer { transaction.end() }
    guard connection.isInTransaction else { throw PersistenceError.aborted }
    try connection.run("SAVEPOINT job")
    do {
      try job.perform(transaction)
      guard connection.isInTransaction else { throw PersistenceError.aborted }
      // A deferred violation would otherwise surface at the commit and take the others with it.
      try connection.checkForeignKeys()
      try connection.run("RELEASE job")
    } catch {
      if connection.isInTransaction {
        try connection.run("ROLLBACK TO job")
        try connection.run("RELEASE job")
      }
      throw error
    }
    return transaction.changes
  }

  /// Copies the write-ahead log into the main file before it grows.
  ///
  /// An ordinary checkpoint holds up no reader. But readers that overlap without end keep the log from
  /// starting over. Past a limit, new readers are held back for a moment to give the running ones time
  /// to end. If one of them takes longer, the log grows by the same amount before the next attempt.
  private func limitLog(of connection: Connection) async {
    guard connection.log.pages >= configuration.checkpointPages else { return }
    // A checkpoint that fails leaves everything in the log, and is tried after the next commit.
    try? connection.checkpoint(.passive)
    guard connection.log.pages >= logLimit else { return }
    if await readers.pause(atMost: min(configuration.busyTimeout, Self.longestPause)) {
      try? connection.checkpoint(.truncate)
      readers.resume()
    }
    logLimit = connection.log.pages + configuration.longestLog
  }
}
