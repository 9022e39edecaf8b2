import CausewayBasics
public import CausewayDatabase
import Synchronization

/// A persistence service that reads from replicas and writes to a primary.
///
/// ```swift
/// let service = try ReplicatedPostgresService(primary: primary, replicas: "postgres://replicas/harbor")
/// ```
///
/// A replica may be behind the primary. Each read waits until its replica has replayed the commits
/// of this service, so it sees them. If the replica does not reach them in time or does not answer,
/// the read runs on the primary. Live queries and writes use the primary. All functions may be
/// called from any isolation.
public final class ReplicatedPostgresService: PersistenceService {
  /// The service that writes.
  public let primary: PostgresService
  private let pool: ConnectionPool
  private let replayTimeout: Duration
  private let coolDown: Duration
  /// The time until which no read uses a replica.
  private let coolDownEnd = Mutex<ContinuousClock.Instant?>(nil)

  /// Makes a service without connecting to a replica.
  ///
  /// - Parameters:
  ///   - primary: A service whose configuration has
  ///     ``PostgresService/Configuration/recordsPositions``. The new service closes it.
  ///   - replicas: The address of the replicas, for libpq or for a proxy.
  ///   - connections: The largest number of connections to replicas.
  ///   - replayTimeout: The longest time that a read waits for a replica, before it runs on the primary.
  ///   - coolDown: How long all reads run on the primary after no replica has answered.
  /// - Throws: `PersistenceError` of kind `cannotOpen` if the address is invalid, or if the primary's
  ///   service does not record positions.
  public init(
    primary: PostgresService, replicas: String, connections: Int = 8,
    replayTimeout: Duration = .milliseconds(100), coolDown: Duration = .seconds(1)
  ) throws(PersistenceError) {
    try Connection.validate(replicas)
    guard primary.configuration.recordsPositions else {
      throw PersistenceError(
        .cannotOpen,
        message: "The service of the primary does not record the positions of its commits")
    }
    self.primary = primary
    self.replayTimeout = replayTimeout
    self.coolDown = coolDown
    pool = ConnectionPool(
      url: replicas, limit: connections,
      settings: primary.configuration.sessionSettings)
  }

  /// Runs a closure with a snapshot that contains the commits of this service.
  ///
  /// - Throws: The errors of ``PostgresService/read(_:)``.
  public func read<T: Sendable>(
    _ body: @escaping @Sendable (any ReadTransaction) throws -> T
  ) async throws -> T {
    try await read(after: nil, body)
  }

  /// Runs a closure with a snapshot that contains the commits of this service, and those up to a
  /// position.
  ///
  /// - Parameters:
  ///   - position: The ``PostgresService/position`` of another process with the same primary. A text that
  ///     is no position is ignored, so a text of a client can be passed.
  ///   - body: The closure. It may run more than once.
  /// - Throws: The errors of ``PostgresService/read(_:)``.
  public func read<T: Sendable>(
    after position: String?, _ body: @escaping @Sendable (any ReadTransaction) throws -> T
  ) async throws -> T {
    let position = position.flatMap { LogPosition($0) }
    let needed = [position, primary.logPosition].compactMap(\.self).max()
    if let value = try await readReplica(after: needed, body) { return value }
    return try await primary.read(body)
  }

  /// Runs a closure in a transaction on the primary, and commits.
  ///
  /// - Throws: The errors of ``PostgresService/write(_:)``.
  @discardableResult
  public func write<T: Sendable>(
    _ body: @escaping @Sendable (any WriteTransaction) throws -> T
  ) async throws -> T {
    try await primary.write(body)
  }

  /// Returns a live query on the primary.
  public func observe<T: Decodable & Equatable & Sendable>(
    _ query: SQL, as type: T.Type
  ) -> LiveQuery<T> {
    primary.observe(query, as: type)
  }

  /// Waits for running reads, and closes the connections and the service of the primary.
  public func close() async throws(PersistenceError) {
    await pool.close()
    try await primary.close()
  }

  /// Returns the value of the body, or `nil` if the read must run on the primary.
  private func readReplica<T: Sendable>(
    after position: LogPosition?, _ body: @escaping @Sendable (any ReadTransaction) throws -> T
  ) async throws -> T? {
    guard coolDownEnd.withLock({ $0.map { $0 <= .now } ?? true }) else { return nil }
    let deadline = ContinuousClock.now + replayTimeout
    do {
      let attempt: Attempt<T>? = try await pool.withSession(until: deadline) { session in
        guard try await session.waitForReplay(of: position, until: deadline) else { return nil }
        return try await withExecutor(BlockingThreads.postgres) { await session.read(body) }
      }
      switch attempt {
      case .success(let value, _): return value
      case .failure(let error, let cause):
        guard let cause, !(error is CancellationError) else { throw error }
        // A replica ends a read that delays the replay for too long.
        if cause.isTransient { return nil }
        guard cause.kind == .unavailable else { throw error }
        throw cause
      case .uncertain, nil: return nil
      }
    } catch let error as PersistenceError where [.unavailable, .cannotOpen].contains(error.kind) {
      coolDownEnd.withLock { $0 = .now + coolDown }
      return nil
    }
  }
}

extension Session {
  /// Waits until the server of this connection has replayed the log up to a position.
  ///
  /// - Returns: Whether the server has reached the position before the deadline.
  func waitForReplay(
    of position: LogPosition?, until deadline: ContinuousClock.Instant
  ) async throws -> Bool {
    guard let position else { return true }
    let backoff = Backoff(initial: .milliseconds(1), cap: .milliseconds(10))
    var tries = 0
    while replayed.map({ $0 < position }) ?? true {
      let row = try await run(LogPosition.current, until: deadline).first
      replayed = (row?.first ?? nil).flatMap { LogPosition($0) }
      if let replayed, replayed >= position { break }
      tries += 1
      let pause = backoff.delay(afterAttempts: tries)
      guard .now + pause < deadline else { return false }
      try await Task.sleep(for: pause)
    }
    return true
  }
}
