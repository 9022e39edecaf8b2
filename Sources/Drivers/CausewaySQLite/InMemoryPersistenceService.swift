public import CausewayDatabase

/// A persistence service in memory, for tests and previews.
///
/// ```swift
/// let service = try InMemoryPersistenceService(migrations: migrations)
/// ```
///
/// The service uses SQLite with a private connection, so statements behave as they do with a file.
/// The rows exist until the service is closed or released. Reads and writes run one after another
/// on the actor, in the tasks of their callers. The service has no thread, task or clock. So a test
/// that controls the order of tasks also controls the order of transactions.
public actor InMemoryPersistenceService: PersistenceService {
  private var connection: Connection?
  nonisolated let live = LiveQueries()

  /// Makes an empty database and applies the migrations.
  ///
  /// - Throws: `PersistenceError` if a migration fails, or the error of its code.
  public init(migrations: [Migration]) throws {
    let connection = try Connection(StoreFile(path: ":memory:"), access: .readWrite)
    try connection.configureSchema()
    try connection.migrate(migrations)
    self.connection = connection
  }

  /// Runs a closure that reads a consistent state.
  ///
  /// - Throws: The error of the body, `PersistenceError`, or `CancellationError`.
  public func read<T: Sendable>(
    _ body: @escaping @Sendable (any ReadTransaction) throws -> T
  ) async throws -> T {
    try transact(body)
  }

  /// Runs a closure with exclusive access to the database, and commits unless it throws.
  ///
  /// - Throws: The error of the body, `PersistenceError`, or `CancellationError`.
  @discardableResult
  public func write<T: Sendable>(
    _ body: @escaping @Sendable (any WriteTransaction) throws -> T
  ) async throws -> T {
    let connection = try begin(.beginWriting)
    let transaction = SQLiteWriteTransaction(connection)
    do {
      defer { transaction.end() }
      let result = try body(transaction)
      guard connection.isInTransaction else { throw PersistenceError.aborted }
      try connection.run(.commit)
      live.invalidate(transaction.changes)
      return result
    } catch {
      connection.rollBack()
      throw error
    }
  }

  /// Returns a live query: the rows now, and after each commit that changes a table it reads.
  public nonisolated func observe<T: Decodable & Equatable & Sendable>(
    _ query: SQL, as type: T.Type
  ) -> LiveQuery<T> {
    live.observe(query, as: type) { [self] in try await fetch(query, as: type) }
  }

  /// Ends live queries and deletes all rows.
  public func close() async throws(PersistenceError) {
    live.close()
    connection = nil
  }

  private func fetch<T: Decodable & Sendable>(
    _ query: SQL, as type: T.Type
  ) throws -> LiveQueryFetch<T> {
    try transact { transaction in
      let rows = try transaction.rows(query, as: type)
      return LiveQueryFetch(rows: rows, tables: transaction.tables)
    }
  }

  private func transact<T>(_ body: (SQLiteReadTransaction) throws -> T) throws -> T {
    let connection = try begin(.begin)
    // Only reads are interrupted. An interrupted write would be incomplete.
    connection.stopWhenTaskIsCancelled()
    let transaction = SQLiteReadTransaction(connection)
    defer {
      transaction.end()
      connection.stopWhenTaskIsCancelled(false)
      connection.rollBack()
    }
    do {
      return try body(transaction)
    } catch let error as PersistenceError where error.kind == .interrupted && Task.isCancelled {
      throw CancellationError()
    }
  }

  private func begin(_ statement: ControlStatement) throws -> Connection {
    try Task.checkCancellation()
    guard let connection else { throw PersistenceError.closed }
    try connection.run(statement)
    return connection
  }
}
