public import CausewayData

/// A persistence service in memory that ends with its last reference, for tests and previews.
///
/// ```swift
/// let service = try InMemoryPersistenceService(migrations: migrations)
/// ```
///
/// It is SQLite over a private connection, so statements mean what they mean in a file. Reads and
/// writes run one after the other on the actor, in the tasks of their callers: it has no thread, task
/// or clock of its own, and a test that chooses the order of steps chooses the order of
/// transactions.
public actor InMemoryPersistenceService: PersistenceService {
  private var connection: Connection?
  private nonisolated let live = LiveQueries()

  /// Makes an empty database and applies the migrations.
  ///
  /// - Throws: `PersistenceError` if a migration fails, or what its code throws.
  public init(migrations: [Migration]) throws {
    let connection = try Connection(StoreFile(path: ":memory:"), access: .readWrite)
    try connection.configureSchema()
    try connection.migrate(migrations)
    self.connection = connection
  }

  /// Runs a closure that reads, between two writes.
  ///
  /// - Throws: What the body throws, `PersistenceError`, or `CancellationError`.
  public func read<T: Sendable>(
    _ body: @escaping @Sendable (any ReadTransaction) throws -> T
  ) async throws -> T {
    try transact(body)
  }

  /// Runs a closure alone with the database, and keeps what it did unless it throws.
  ///
  /// - Throws: What the body throws, `PersistenceError`, or `CancellationError`.
  @discardableResult
  public func write<T: Sendable>(
    _ body: @escaping @Sendable (any WriteTransaction) throws -> T
  ) async throws -> T {
    let connection = try begin("BEGIN IMMEDIATE")
    let transaction = SQLiteWriteTransaction(connection)
    do {
      defer { transaction.end() }
      let result = try body(transaction)
      guard connection.isInTransaction else { throw PersistenceError.aborted }
      try connection.run("COMMIT")
      live.invalidate(transaction.changes)
      return result
    } catch {
      connection.rollBack()
      throw error
    }
  }

  /// The rows of a query, now and after each commit that changes a table that it reads.
  public nonisolated func observe<T: Decodable & Equatable & Sendable>(
    _ query: SQL, as type: T.Type
  ) -> LiveQuery<T> {
    live.observe(query, as: type) { [self] in try await fetch(query, as: type) }
  }

  /// Ends live queries and forgets everything.
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
    let connection = try begin("BEGIN")
    // Reads can be stopped, and only they: half a write would have to be explained.
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

  private func begin(_ statement: String) throws -> Connection {
    try Task.checkCancellation()
    guard let connection else { throw PersistenceError.closed }
    try connection.run(statement)
    return connection
  }
}
