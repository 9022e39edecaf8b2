public import CausewayDatabase
import Synchronization

/// A persistence service on a PostgreSQL server, for any number of processes and machines.
///
/// ```swift
/// let service = try await PostgresService(
///   url: "postgres://harbor@db1,db2/harbor?target_session_attrs=read-write",
///   migrations: migrations)
/// ```
///
/// Transactions run concurrently on the connections of a pool. If the server rejects a transaction
/// because of a concurrent transaction, or if the connection is lost before the commit, the service
/// runs the closure again. So a closure may run more than once. All functions may be called from
/// any isolation.
///
/// A task that waits for a connection, a commit, a live query or ``rows(_:as:)`` is suspended. A
/// closure is synchronous. While one of its statements runs, the closure blocks one of the threads
/// of this library. There is at most one such thread for each connection.
public final class PostgresService: PersistenceService {
  let configuration: Configuration
  let pool: ConnectionPool
  let live = LiveQueries()
  private let state: Mutex<State>
  private let own = OwnCommits()

  private struct State {
    var log: ChangeLog?
    var announcer: ChangeAnnouncer?
    var feed: ChangeFeed?
    /// Incremented when the schema may have changed, and with it the tables of live queries.
    var schemaVersion = 0
  }

  /// Connects to a server and applies the missing migrations.
  ///
  /// - Parameters:
  ///   - url: An address that libpq understands. It may contain several hosts and all settings of
  ///     libpq, such as `sslmode=verify-full` and `target_session_attrs=read-write`.
  ///   - migrations: The migrations. Processes that start together apply them once, under a lock.
  ///   - configuration: The settings.
  /// - Throws: `PersistenceError`, of kind `cannotOpen` if the address is invalid or the server
  ///   refuses the user, and of kind `unavailable` if no server accepts a connection;
  ///   `CancellationError`.
  public init(
    url: String, migrations: [Migration], configuration: Configuration = Configuration()
  ) async throws {
    try Connection.validate(url)
    self.configuration = configuration
    pool = ConnectionPool(
      url: url, limit: configuration.connections, settings: configuration.sessionSettings)
    state = Mutex(State())
    do {
      try await migrate(migrations)
      if configuration.observesOtherProcesses { try await startLog() }
    } catch {
      await pool.close()
      throw error
    }
  }

  /// Runs a closure with a snapshot of the database.
  ///
  /// - Throws: The error of the body, `PersistenceError`, or `CancellationError`. A cancellation
  ///   also stops the running statement on the server.
  public func read<T: Sendable>(
    _ body: @escaping @Sendable (any ReadTransaction) throws -> T
  ) async throws -> T {
    try await repeating { deadline in
      try await self.pool.withSession(until: deadline) { session in
        try await withExecutor(BlockingThreads.postgres) { await session.read(body) }
      }
    }.value
  }

  /// Runs a closure in a transaction, and commits.
  ///
  /// Concurrent writes run at the same time, not in the order of their calls.
  ///
  /// Statements whose result the body does not receive are sent with the next statement or with the
  /// commit. If such a statement fails, the body runs again, and receives the error.
  ///
  /// - Throws: The error of the body, `PersistenceError`, or `CancellationError`. A cancellation
  ///   stops the running statement on the server. A commit is not cancelled. The kind
  ///   `outcomeUnknown` means that the connection ended during the commit, or that the server did
  ///   not answer it, and that the service could not find out whether the transaction is stored.
  @discardableResult
  public func write<T: Sendable>(
    _ body: @escaping @Sendable (any WriteTransaction) throws -> T
  ) async throws -> T {
    try await write(isolation: configuration.isolation, isLimited: true, body)
  }

  /// - Parameter isLimited: Whether ``Configuration/statementTimeout`` applies.
  func write<T: Sendable>(
    isolation: Configuration.Isolation, isLimited: Bool,
    _ body: @escaping @Sendable (any WriteTransaction) throws -> T
  ) async throws -> T {
    let log = state.withLock(\.log)
    let wantsChanges = log != nil && live.count > 0
    // The statement does not say `READ WRITE`, because a server or a role may permit only reading
    // by default.
    let begin = "BEGIN ISOLATION LEVEL \(isolation.rawValue)"
    let (value, changes) = try await repeating { deadline in
      let mode = TransactionMode(
        begin: begin, token: log.map { _ in "\(UInt64.random(in: 0...(.max)))" },
        isLimited: isLimited)
      let attempt = try await self.pool.withSession(until: deadline) { session in
        try await withExecutor(BlockingThreads.postgres) {
          await session.write(
            mode, log: log, wantsChanges: wantsChanges, body)
        }
      }
      guard case .uncertain(let value, let changes, let error) = attempt else { return attempt }
      return try await self.resolve(value, changes, token: mode.token, after: error)
    }
    note(changes)
    return value
  }

  /// Returns the rows of one query, without blocking a thread.
  ///
  /// - Throws: `PersistenceError`, of kind `readOnly` if the statement would write;
  ///   `CancellationError`.
  /// - Complexity: O(rows × columns).
  public func rows<T: Decodable & Sendable>(_ query: SQL, as type: T.Type) async throws -> [T] {
    try await repeating { deadline in
      try await self.pool.withSession(until: deadline) { session in
        do {
          return .success(try await session.rows(query, as: type), .none)
        } catch {
          return .failure(error, cause: error as? PersistenceError)
        }
      }
    }.value
  }

  /// Returns a live query: the rows now, and after each commit that changes a table it reads.
  ///
  /// Commits of other processes are included, unless the configuration excludes them.
  ///
  /// A table has the trigger of the change log if it is in the schema of the log, and the role has
  /// the right `TRIGGER` on it. A query of other tables, of materialised views, of foreign tables
  /// or of functions runs after each commit of this service, and at ``Configuration/pollInterval``.
  /// The service does not notice tables that a function in a column list or a condition reads.
  public func observe<T: Decodable & Equatable & Sendable>(
    _ query: SQL, as type: T.Type
  ) -> LiveQuery<T> {
    let tables = KnownTables()
    return live.observe(
      query, as: type, pause: configuration.liveQueryPause, watch: watch
    ) { [self] in
      let version = state.withLock(\.schemaVersion)
      let names: Set<String>
      if let known = tables.value, known.version == version {
        names = known.tables
      } else {
        names = try await self.tables(of: query)
        tables.value = (version, names)
      }
      return LiveQueryFetch(rows: try await rows(query, as: type), tables: names)
    }
  }

  /// Waits for running transactions, ends live queries, and closes the connections.
  public func close() async throws(PersistenceError) {
    live.close()
    let (announcer, feed) = state.withLock { ($0.announcer, $0.feed) }
    await announcer?.close()
    await pool.close()
    await feed?.disconnect()
  }

  private func startLog() async throws {
    let schema = try await rows("SELECT current_schema()", as: String?.self).first ?? nil
    guard let schema else {
      throw PersistenceError(
        .cannotOpen, message: "The search path contains no schema that exists")
    }
    let log = ChangeLog(schema: SQL.quoted(schema))
    try await write(isolation: .readCommitted, isLimited: false) { transaction in
      try transaction.lockSchema()
      let exists = try transaction.row(
        "SELECT to_regclass(\(log.schema + ".causeway_change")) IS NOT NULL", as: Bool.self)
      let isCurrent = try transaction.row(log.isCurrent, as: Bool.self)
      if exists != true || isCurrent != true {
        try transaction.execute(SQL(unchecked: log.creation))
      }
      _ = try transaction.rows(SQL(unchecked: log.watch), as: String?.self)
    }
    state.withLock { state in
      state.log = log
      state.announcer = ChangeAnnouncer(
        pool, log: log, interval: configuration.hintInterval,
        retention: configuration.changeRetention)
      state.feed = ChangeFeed(
        pool, log: log, interval: configuration.pollInterval,
        retention: configuration.changeRetention, own: own)
    }
  }

  var log: ChangeLog? { state.withLock(\.log) }

  private var watch: LiveQueries.Watch? {
    guard let feed = state.withLock(\.feed) else { return nil }
    return { [weak self] in
      guard let changes = await feed.next() else {
        await feed.disconnect()
        return nil
      }
      guard let self else { return nil }
      if changes == .everything { self.state.withLock { $0.schemaVersion += 1 } }
      self.live.invalidate(changes)
      return false
    }
  }

  /// Reports the changes of a commit of this service to its live queries and to other processes.
  private func note(_ changes: CommittedChanges) {
    guard changes.hasBegun else { return }
    if let tables = changes.tables {
      if let identifier = changes.identifier, live.count > 0 { own.insert(identifier) }
      live.invalidate(.tables(tables.union([ChangeLog.unwatched])))
    } else {
      state.withLock { $0.schemaVersion += 1 }
      live.invalidate(.everything)
    }
    state.withLock(\.announcer)?.noteCommit()
  }

  private func tables(of query: SQL) async throws -> Set<String> {
    // Without a log, each commit runs all live queries.
    guard let log else { return [] }
    return try await repeating { deadline in
      try await self.pool.withSession(until: deadline) { session in
        do {
          return .success(try await session.tables(of: query, in: log), .none)
        } catch {
          return .failure(error, cause: error as? PersistenceError)
        }
      }
    }.value
  }
}

/// The tables of one live query, and the version of the schema to which they belong.
private final class KnownTables: Sendable {
  private let storage = Mutex<(version: Int, tables: Set<String>)?>(nil)

  var value: (version: Int, tables: Set<String>)? {
    get { storage.withLock { $0 } }
    set { storage.withLock { $0 = newValue } }
  }
}
