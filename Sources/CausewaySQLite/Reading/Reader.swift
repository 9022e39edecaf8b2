import CausewayData

/// A read-only connection.
actor Reader {
  private let connection: Connection
  private nonisolated let executor: ConnectionExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unowned }

  init(_ file: StoreFile, threads: DatabaseThreads?) throws(PersistenceError) {
    executor = ConnectionExecutor(threads)
    connection = try Connection(file, access: .readOnly)
    connection.stopWhenTaskIsCancelled()
  }

  /// Runs a closure with a snapshot of the database.
  ///
  /// - Throws: The error of the body, or `CancellationError` if the task was cancelled.
  func read<T: Sendable>(
    timeout: BusyTimeout, _ body: @Sendable (SQLiteReadTransaction) throws -> T
  ) async throws -> T {
    do {
      try await timeout.retry {
        connection.rollBack()
        try connection.run("BEGIN")
        // The first read takes the snapshot; BEGIN does not.
        _ = try connection.text("SELECT 1 FROM sqlite_schema LIMIT 1")
      }
      let transaction = SQLiteReadTransaction(connection)
      defer {
        transaction.end()
        connection.rollBack()
      }
      return try body(transaction)
    } catch let error as PersistenceError where error.kind == .interrupted && Task.isCancelled {
      throw CancellationError()
    }
  }
}
