import CausewayData
import Synchronization

extension BlockingThreads {
  /// The threads on which the closures of transactions run.
  ///
  /// A closure is synchronous, so its thread waits for the answer to each of its statements. A
  /// closure holds a connection, so the connections limit the number of threads.
  static let postgres = BlockingThreads(name: "causeway.pq")
}

/// The connections of a service, opened when they are needed.
///
/// Callers get a connection in the order of their calls.
final class ConnectionPool: Sendable {
  private struct State {
    var idle: [Session] = []
    /// The number of connections that are open or being opened.
    var count = 0
    var isClosed = false
    var waiters: [Waiter<Grant>] = []
    /// The callers that wait until all connections are closed.
    var closing: [Waiter<Void>] = []
  }

  private enum Grant: Sendable {
    case session(Session)
    /// The caller may open a connection.
    case place
    case cancelled
    case closed
  }

  private let url: String
  private let limit: Int
  private let settings: [String: String]
  private let state = Mutex(State())

  init(url: String, limit: Int, settings: [String: String]) {
    self.url = url
    self.limit = max(limit, 1)
    self.settings = settings
  }

  /// Runs an operation with a connection.
  ///
  /// - Throws: The error of the operation; `PersistenceError` of kind `unavailable` if no server
  ///   accepts a connection until the deadline; `CancellationError`.
  func withSession<T: Sendable>(
    until deadline: ContinuousClock.Instant, _ operation: (Session) async throws -> T
  ) async throws -> T {
    let session = try await take(until: deadline)
    do {
      let value = try await operation(session)
      await giveBack(session)
      return value
    } catch {
      await giveBack(session)
      throw error
    }
  }

  /// Opens a connection without counting it, and retries until the deadline.
  func open(until deadline: ContinuousClock.Instant) async throws -> Session {
    let (url, settings) = (url, settings)
    var pause = Duration.milliseconds(10)
    while true {
      try Task.checkCancellation()
      if state.withLock(\.isClosed) { throw PersistenceError.closed }
      do {
        return try await withExecutor(BlockingThreads.postgres) {
          let session = Session()
          try await session.open(url, settings: settings, until: deadline)
          return session
        }
      } catch let error as PersistenceError
        where error.kind == .unavailable && deadline > .now + pause
      {
        try await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(500))
      }
    }
  }

  /// Closes the idle connections, and waits until the operations on the others have ended.
  func close() async {
    let waiter = Waiter<Void>()
    let (idle, waiters, isEmpty) = state.withLock { state in
      state.isClosed = true
      defer { (state.idle, state.waiters) = ([], []) }
      state.count -= state.idle.count
      if state.count > 0 { state.closing.append(waiter) }
      return (state.idle, state.waiters, state.count == 0)
    }
    for waiting in waiters { waiting.resume(returning: .closed) }
    for session in idle { await session.close() }
    if !isEmpty { await waiter.value { _ in } }
  }

  private func take(until deadline: ContinuousClock.Instant) async throws -> Session {
    try Task.checkCancellation()
    switch await grant() {
    case .session(let session): return session
    case .cancelled: throw CancellationError()
    case .closed: throw PersistenceError.closed
    case .place:
      do {
        return try await open(until: deadline)
      } catch {
        leave()
        throw error
      }
    }
  }

  private func grant() async -> Grant {
    let waiter = Waiter<Grant>()
    let grant: Grant? = state.withLock { state in
      if state.isClosed { return .closed }
      if let session = state.idle.popLast() { return .session(session) }
      if state.count < limit {
        state.count += 1
        return .place
      }
      state.waiters.append(waiter)
      return nil
    }
    if let grant { return grant }
    return await waiter.value { waiter in
      if state.withLock({ $0.waiters.remove(waiter) }) { waiter.resume(returning: .cancelled) }
    }
  }

  private func giveBack(_ session: Session) async {
    guard await session.isUsable else {
      await session.close()
      return leave()
    }
    let (waiter, isClosed): (Waiter<Grant>?, Bool) = state.withLock { state in
      if state.isClosed { return (nil, true) }
      if state.waiters.isEmpty {
        state.idle.append(session)
        return (nil, false)
      }
      return (state.waiters.removeFirst(), false)
    }
    waiter?.resume(returning: .session(session))
    if isClosed {
      await session.close()
      leave()
    }
  }

  /// Gives up the place of a connection that was closed or could not be opened.
  private func leave() {
    let (waiter, closing): (Waiter<Grant>?, [Waiter<Void>]) = state.withLock { state in
      if !state.waiters.isEmpty { return (state.waiters.removeFirst(), []) }
      state.count -= 1
      guard state.count == 0 else { return (nil, []) }
      defer { state.closing = [] }
      return (nil, state.closing)
    }
    waiter?.resume(returning: .place)
    for waiter in closing { waiter.resume() }
  }
}
