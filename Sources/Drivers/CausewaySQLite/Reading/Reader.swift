import CausewayDatabase

/// A read-only connection.
actor Reader {
  let connection: Connection
  private let file: StoreFile
  private nonisolated let executor: ConnectionExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unowned }

  init(
    _ file: StoreFile, access: Connection.Access = .readOnly
  ) throws(PersistenceError) {
    executor = ConnectionExecutor(host: file.host)
    self.file = file
    connection = try Connection(file, access: access)
    connection.stopWhenTaskIsCancelled()
  }

  /// Runs a closure with a snapshot of the database.
  ///
  /// - Throws: The error of the body, or `CancellationError` if the task was cancelled.
  func read<T: Sendable>(
    timeout: BusyTimeout, _ body: @Sendable (SQLiteReadTransaction) throws -> T
  ) async throws -> T {
    // A cancelled task can interrupt the first statement after it has taken the snapshot. An open
    // snapshot would keep the log from being emptied until the next read of this connection.
    defer { connection.rollBack() }
    do {
      try await timeout.retry {
        connection.rollBack()
        try connection.run(.begin)
        try connection.run(.takeSnapshot)
      }
      let transaction = SQLiteReadTransaction(connection)
      defer { transaction.end() }
      return try body(transaction)
    } catch let error as PersistenceError where error.kind == .interrupted && Task.isCancelled {
      throw CancellationError()
    }
  }

  /// Reads the whole file, and throws if any part of the file is damaged.
  func checkIntegrity(timeout: BusyTimeout) async throws {
    let report = try await read(timeout: timeout) {
      try $0.row("PRAGMA integrity_check(1)", as: String.self)
    }
    guard report == "ok" else {
      let error = PersistenceError(
        .corrupt, message: "The file is damaged: \(report ?? "no report")")
      file.condition.note(error)
      throw error
    }
  }
}
