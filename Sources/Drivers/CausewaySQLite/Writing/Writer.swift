import CSQLite
import CausewayBasics
import CausewayDatabase

/// The only connection that writes.
///
/// A transaction runs without suspension, on the caller's executor; see
/// ``SQLiteConfiguration/threads``. Before a transaction begins, the writer waits for locks
/// of other processes. It suspends between the attempts.
actor Writer {
  /// The largest number of writes that share one commit.
  private static let batchLimit = 128
  /// The longest time for which new reads wait until the log is empty.
  private static let longestPause = Duration.milliseconds(100)

  /// `nil` if the writer is closed, or while a damaged file has no replacement.
  var connection: Connection?
  private var isClosed = false
  private var lockWait = LockWait()
  /// The number of pages in the log at which new reads wait.
  private var logLimit: Int
  private nonisolated let executor: ConnectionExecutor
  nonisolated let queue = WriteQueue()
  nonisolated let configuration: SQLiteConfiguration
  nonisolated let file: StoreFile
  private nonisolated let migrations: [Migration]
  nonisolated let live: LiveQueries
  nonisolated let readers: ReaderPool
  nonisolated let rowLog = RowLog()
  /// SQLite's number for the state of the file; it changes when another connection commits.
  private var dataVersion = ""
  /// The state of the file when the remains of deleted rows were last erased.
  var erasure: Erasure?

  /// The limit of a wait for a lock that begins now.
  nonisolated var busyTimeout: BusyTimeout {
    BusyTimeout(configuration.busyTimeout, for: file)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unowned }

  /// Opens the file and makes its schema current.
  init(
    _ file: StoreFile, readers: ReaderPool, live: LiveQueries, migrations: [Migration],
    configuration: SQLiteConfiguration
  ) async throws {
    executor = ConnectionExecutor(host: file.host)
    self.file = file
    self.readers = readers
    self.live = live
    self.migrations = migrations
    var configuration = configuration
    // Nothing may be created in place of a file that is only read.
    if configuration.access != .readWrite { configuration.startsAnewWhenDamaged = false }
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

  /// Opens the file and makes its schema current, at the start and after the file was damaged.
  func open() async throws {
    file.condition.opened = StoreFile.OpenFiles(file: file.identity)
    guard !file.isEmptied else {
      let error = PersistenceError(
        .corrupt, message: "The file is empty, but its log has transactions")
      file.condition.note(error)
      throw error
    }
    guard configuration.access == .readWrite else { return try await openForReading() }
    file.createIfMissing()
    let connection = try Connection(file, access: .readWrite)
    file.condition.opened = StoreFile.OpenFiles(file: file.identity)
    self.connection = connection
    do {
      let timeout = busyTimeout
      try await timeout.retry { try connection.configure(configuration) }
      try await migrate(connection, timeout)
      eraseAtStart(connection)
      dataVersion = try connection.text("PRAGMA data_version") ?? ""
      file.noteOpened()
    } catch {
      if file.condition.isNoted { connection.keepLogWhenClosed() }
      self.connection = nil
      throw error
    }
  }

  /// Opens a file that is only read, and checks that its schema is current.
  private func openForReading() async throws {
    let connection = try Connection(file, access: .readOnly)
    self.connection = connection
    do {
      let timeout = busyTimeout
      try await timeout.retry { try connection.checkApplied(migrations) }
      dataVersion = try connection.text("PRAGMA data_version") ?? ""
      file.noteOpened()
    } catch {
      self.connection = nil
      guard let error = error as? PersistenceError, error.kind == .cannotOpen,
        configuration.access == .readOnly
      else { throw error }
      throw PersistenceError(
        .cannotOpen, code: error.code, extendedCode: error.extendedCode,
        message: "The file has a write-ahead log, which cannot be created beside it; "
          + "open a file that no program changes with the access immutable")
    }
  }

  private func migrate(_ connection: Connection, _ timeout: BusyTimeout) async throws {
    let isEmpty = try await timeout.retry {
      try connection.text("SELECT 1 FROM sqlite_schema") == nil
    }
    do {
      try await timeout.retry { try connection.migrate(migrations) }
    } catch let error as PersistenceError {
      file.condition.note(error)
      if !isEmpty, configuration.startsAnewWhenDamaged, Self.isMisfit(error),
        !connection.isNewer(than: migrations)
      {
        // The table of migrations, or a table that they create, is damaged.
        file.condition.noteDamage(error)
      }
      throw error
    }
  }

  /// Whether the contents of a file do not fit the migrations.
  ///
  /// A file that a newer version of the program has written is not damaged. Both versions may use
  /// it.
  private static func isMisfit(_ error: PersistenceError) -> Bool {
    switch error.kind {
    case .migration, .statement, .decoding, .constraint: true
    default: false
    }
  }

  /// Runs a closure in a transaction, which it may share with other writes, and commits.
  nonisolated func write<T: Sendable>(
    _ body: @escaping @Sendable (SQLiteWriteTransaction) throws -> T
  ) async throws -> T {
    try Task.checkCancellation()
    let entered = file.now
    if try queue.leadIfFree() { return try await lead(body, entered: entered) }
    let outcome = Outcome<T>()
    switch try await queue.enter(WriteJob { outcome.store(try body($0)) }) {
    case .lead: return try await lead(body, entered: entered)
    case .done: return try outcome.take()
    }
  }

  /// Whether another process or service has committed to the file since the last call.
  ///
  /// Returns `nil` once the service is closed.
  func sawForeignCommit() -> Bool? {
    guard let connection else { return isClosed ? nil : false }
    if noteLocation(), configuration.startsAnewWhenDamaged {
      file.condition.requireReopening()
      rowLog.addEverything()
      return true
    }
    // An error is ignored here, because the queries that read the file report it.
    guard let version = try? connection.text("PRAGMA data_version"), version != dataVersion else {
      return false
    }
    dataVersion = version
    rowLog.addEverything()
    return true
  }

  /// Makes live queries run as a whole if another connection has committed.
  func noteForeignCommits() {
    guard let connection else { return }
    let version = try? connection.text("PRAGMA data_version")
    guard version == nil || version != dataVersion else { return }
    rowLog.addEverything()
    if let version {
      dataVersion = version
      live.invalidate(.everything)
    }
  }

  /// Waits for running transactions and closes the file.
  nonisolated func close() async throws(PersistenceError) {
    do { try await queue.lead() } catch { return }
    try await closeAsLeader()
  }

  private func closeAsLeader() async throws(PersistenceError) {
    queue.close()
    // Live queries are closed first, so they end without the error of a closed reader.
    live.close()
    await readers.close()
    isClosed = true
    defer { connection = nil }
    // SQLite deletes the log by its name, which may now belong to another file.
    if file.hasLostWrites { connection?.keepLogWhenClosed() }
    file.condition.opened = StoreFile.OpenFiles()
    if configuration.access == .readWrite { try connection?.checkpoint(.truncate) }
  }

  private func lead<T: Sendable>(
    _ body: @escaping @Sendable (SQLiteWriteTransaction) throws -> T,
    entered: ContinuousClock.Instant
  ) async throws -> T {
    defer { queue.leave() }
    if isClosed { throw PersistenceError.closed }
    // A write to a damaged or replaced cache would be lost, so the cache begins with a new file
    // before the write.
    if file.condition.isNoted || (configuration.startsAnewWhenDamaged && file.isReplaced) {
      try await startAnew()
    }
    guard let connection else { throw PersistenceError.closed }
    let now = file.now
    let timeout = BusyTimeout(
      configuration.busyTimeout, since: lockWait.start(of: entered, now: now),
      for: file)
    do {
      try await timeout.retry { try connection.run(.beginWriting) }
      lockWait.end()
    } catch let error as PersistenceError where error.kind == .busy {
      lockWait.giveUp(since: now)
      throw error
    }
    let isFollowed = rowLog.isUsed
    connection.changed.reset(isRecording: isFollowed)
    if isFollowed {
      // Other connections cannot commit before this transaction ends.
      noteForeignCommits()
      rowLog.beginWriting()
    }
    let followers = queue.takeFollowers(limit: Self.batchLimit - 1)
    guard !followers.isEmpty else {
      let value = try commit(body, on: connection)
      if connection.log.pages >= configuration.checkpointPages { await limitLog(of: connection) }
      return value
    }
    let outcome = Outcome<T>()
    let job = WriteJob { outcome.store(try body($0)) }
    let results = commit([job] + followers.compactMap(\.job), on: connection)
    for (follower, result) in zip(followers, results.dropFirst()) {
      follower.waiter.resume(returning: result.map { .done })
    }
    await limitLog(of: connection)
    try results[0].get()
    return try outcome.take()
  }

  /// Runs one write inside the transaction that has begun, and commits.
  private func commit<T>(
    _ body: (SQLiteWriteTransaction) throws -> T, on connection: Connection
  ) throws -> T {
    let transaction = SQLiteWriteTransaction(connection)
    let value: T
    do {
      defer { transaction.end() }
      value = try body(transaction)
      guard connection.isInTransaction else { throw PersistenceError.aborted }
      // This check runs as late as possible. A removal of the file after this check has the same
      // effect as a removal after the commit.
      try checkLocation()
      rowLog.add(transaction.changes, connection.changed)
      try connection.run(.commit)
    } catch {
      connection.rollBack()
      rowLog.endWriting()
      throw error
    }
    rowLog.endWriting()
    live.invalidate(transaction.changes)
    return value
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
      rowLog.add(changes, connection.changed)
      try connection.run(.commit)
      rowLog.endWriting()
      live.invalidate(changes)
    } catch {
      connection.rollBack()
      rowLog.endWriting()
      // Jobs that had succeeded were not stored either. A job that had failed keeps its own error.
      results = results.map { result in result.flatMap { .failure(error) } }
    }
    return results
  }

  private func run(_ job: WriteJob, on connection: Connection) throws -> TableChanges {
    let transaction = SQLiteWriteTransaction(connection)
    defer { transaction.end() }
    guard connection.isInTransaction else { throw PersistenceError.aborted }
    try connection.run("SAVEPOINT \(OpenSavepoints.ofWrite)")
    do {
      try job.perform(transaction)
      guard connection.isInTransaction else { throw PersistenceError.aborted }
      // Without this check, a violation would make the shared commit and the other jobs fail.
      try connection.checkForeignKeys()
      try connection.run("RELEASE \(OpenSavepoints.ofWrite)")
    } catch {
      if connection.isInTransaction {
        try connection.run("ROLLBACK TO \(OpenSavepoints.ofWrite)")
        try connection.run("RELEASE \(OpenSavepoints.ofWrite)")
      }
      throw error
    }
    return transaction.changes
  }

  /// Copies the write-ahead log into the main file before the log becomes too large.
  ///
  /// An ordinary checkpoint delays no reader. But if there is always at least one reader, the log
  /// cannot start over. Above a limit, new reads therefore wait for a moment, and the running reads
  /// can end. If a running read takes longer, the log grows by the same amount before the next
  /// attempt.
  private func limitLog(of connection: Connection) async {
    guard connection.log.pages >= configuration.checkpointPages else { return }
    // If a checkpoint fails, the log keeps all changes, and the next commit tries again.
    try? connection.checkpoint(.passive)
    guard connection.log.pages >= logLimit else { return }
    if await readers.pause(atMost: min(configuration.busyTimeout, Self.longestPause)) {
      try? connection.checkpoint(.truncate)
      readers.resume()
    }
    logLimit = connection.log.pages + configuration.longestLog
  }
}
