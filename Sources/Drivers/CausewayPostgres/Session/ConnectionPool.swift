import CausewayBasics
import CausewayDatabase
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
/// Callers get a connection in the order of their calls. The pool opens the connections, not the
/// caller. So a caller whose connection is refused or delayed also gets one that becomes free.
final class ConnectionPool: Sendable {
  private typealias Grant = Result<Session, any Error>

  private struct Caller {
    let waiter: Waiter<Grant>
    let deadline: ContinuousClock.Instant
  }

  /// Why the server accepted no connection, and when the pool tries again.
  private struct Refusal {
    var error: PersistenceError
    /// The number of refusals in a row.
    var count: Int
    var end: ContinuousClock.Instant
  }

  private struct State {
    var idle: [Session] = []
    var callers: [Caller] = []
    /// The number of connections that are open or being opened.
    var count = 0
    /// The connections that are being opened.
    var openings: [Int: Task<Void, Never>] = [:]
    var nextOpening = 0
    var refusal: Refusal?
    var alarm: (time: ContinuousClock.Instant, task: Task<Void, Never>)?
    var isClosed = false
    /// The callers that wait until all connections are closed.
    var closing: [Waiter<Void>] = []

    /// Whether the callers wait for the server, and not only for other callers.
    var waitsForServer: Bool { !callers.isEmpty && (refusal != nil || !openings.isEmpty) }

    /// Counts a closed connection.
    ///
    /// After the last one, returns the callers that wait for it.
    mutating func removeConnection() -> [Waiter<Void>] {
      count -= 1
      guard count == 0 else { return [] }
      defer { closing = [] }
      return closing
    }
  }

  private static let backoff = Backoff(initial: .milliseconds(10), cap: .milliseconds(500))

  private let url: String
  private let limit: Int
  private let settings: SessionSettings
  private let state = Mutex(State())

  init(url: String, limit: Int, settings: SessionSettings) {
    self.url = url
    self.limit = max(limit, 1)
    self.settings = settings
  }

  /// Runs an operation with a connection.
  ///
  /// - Throws: The error of the operation; `PersistenceError` of kind `unavailable` if no server
  ///   accepts a connection and no connection becomes free until the deadline; `CancellationError`.
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
    var refusals = 1
    var reason: PersistenceError?
    while true {
      try Task.checkCancellation()
      if state.withLock(\.isClosed) { throw PersistenceError.closed }
      do {
        return try await openOnce(until: deadline)
      } catch let error as PersistenceError where error.kind == .unavailable {
        // An error after the deadline is not the reason why the server accepted no connection.
        if reason == nil || deadline > .now { reason = error }
        let pause = Self.backoff.delay(afterAttempts: refusals)
        guard deadline > .now + pause else { throw reason ?? error }
        try await Task.sleep(for: pause)
        refusals += 1
      }
    }
  }

  /// Closes the idle connections, and waits until the operations on the others have ended.
  func close() async {
    let waiter = Waiter<Void>()
    let (idle, callers, openings, isEmpty) = change { state in
      state.isClosed = true
      defer { (state.idle, state.callers) = ([], []) }
      state.count -= state.idle.count
      if state.count > 0 { state.closing.append(waiter) }
      return (state.idle, state.callers, state.openings, state.count == 0)
    }
    for caller in callers { caller.waiter.resume(returning: .failure(PersistenceError.closed)) }
    for task in openings.values { task.cancel() }
    for session in idle { await session.close() }
    if !isEmpty { await waiter.value { _ in } }
  }

  private func openOnce(until deadline: ContinuousClock.Instant) async throws -> Session {
    let (url, settings) = (url, settings)
    return try await withExecutor(BlockingThreads.postgres) {
      let session = Session()
      try await session.open(url, settings, until: deadline)
      return session
    }
  }

  private func take(until deadline: ContinuousClock.Instant) async throws -> Session {
    try Task.checkCancellation()
    let waiter = Waiter<Grant>()
    let grant: Grant? = change { state in
      if state.isClosed { return .failure(PersistenceError.closed) }
      if let session = state.idle.popLast() { return .success(session) }
      state.callers.append(Caller(waiter: waiter, deadline: deadline))
      return nil
    }
    if let grant { return try grant.get() }
    return try await waiter.value { waiter in
      let isWaiting = change { state in
        guard let index = state.callers.firstIndex(where: { $0.waiter === waiter }) else {
          return false
        }
        state.callers.remove(at: index)
        return true
      }
      if isWaiting { waiter.resume(returning: .failure(CancellationError())) }
    }.get()
  }

  private func giveBack(_ session: Session) async {
    guard await session.isUsable else {
      await session.close()
      return leave()
    }
    let (caller, isClosed): (Caller?, Bool) = change { state in
      if state.isClosed { return (nil, true) }
      if state.callers.isEmpty {
        state.idle.append(session)
        return (nil, false)
      }
      return (state.callers.removeFirst(), false)
    }
    caller?.waiter.resume(returning: .success(session))
    if isClosed {
      await session.close()
      leave()
    }
  }

  private func leave() {
    let closing = change { $0.removeConnection() }
    for waiter in closing { waiter.resume() }
  }

  /// Changes the state, begins the openings that it needs, and sets the alarm that it needs.
  private func change<T>(_ body: (inout State) -> T) -> T {
    let (value, former): (T, Task<Void, Never>?) = state.withLock { state in
      let value = body(&state)
      startOpenings(&state)
      return (value, updateAlarm(&state))
    }
    // The cancellation runs code, so the lock must not be held.
    former?.cancel()
    return value
  }

  /// Begins to open connections for callers; after a refusal, one at a time.
  private func startOpenings(_ state: inout State) {
    while state.callers.count > state.openings.count, state.count < limit {
      if let refusal = state.refusal, !state.openings.isEmpty || refusal.end > .now { return }
      let number = state.nextOpening
      let deadline = state.callers[state.openings.count].deadline
      state.nextOpening += 1
      state.count += 1
      state.openings[number] = Task { await open(number, until: deadline) }
    }
  }

  private func open(_ number: Int, until deadline: ContinuousClock.Instant) async {
    do {
      let session = try await openOnce(until: deadline)
      change { state in
        state.openings[number] = nil
        state.refusal = nil
      }
      await giveBack(session)
    } catch {
      let (caller, closing): (Caller?, [Waiter<Void>]) = change { state in
        state.openings[number] = nil
        let closing = state.removeConnection()
        if let error = error as? PersistenceError, error.kind == .unavailable {
          note(error, until: deadline, &state)
          return (nil, closing)
        }
        return (state.callers.isEmpty ? nil : state.callers.removeFirst(), closing)
      }
      caller?.waiter.resume(returning: .failure(error))
      for waiter in closing { waiter.resume() }
    }
  }

  private func note(
    _ error: PersistenceError, until deadline: ContinuousClock.Instant, _ state: inout State
  ) {
    var refusal = state.refusal ?? Refusal(error: error, count: 0, end: .now)
    // An error after the deadline is not the reason why the server accepted no connection.
    if deadline > .now { refusal.error = error }
    // Connections that were refused together count as one refusal.
    if refusal.end <= .now {
      refusal.count += 1
      refusal.end = .now + Self.backoff.delay(afterAttempts: refusal.count)
    }
    state.refusal = refusal
  }

  /// Sets an alarm for the next try or for the first deadline.
  ///
  /// Returns the former alarm to cancel.
  private func updateAlarm(_ state: inout State) -> Task<Void, Never>? {
    var time = state.waitsForServer ? state.callers.map(\.deadline).min() : nil
    if let deadline = time, let refusal = state.refusal, state.openings.isEmpty,
      state.count < limit
    {
      time = min(deadline, refusal.end)
    }
    guard time != state.alarm?.time else { return nil }
    let former = state.alarm?.task
    state.alarm = time.map { time in
      (
        time,
        Task {
          guard (try? await Task.sleep(until: time, clock: .continuous)) != nil else { return }
          endWaits()
        }
      )
    }
    return former
  }

  /// Ends the waits whose deadline has passed.
  private func endWaits() {
    let (late, error): ([Caller], PersistenceError?) = change { state in
      state.alarm = nil
      guard state.waitsForServer else { return ([], nil) }
      let now = ContinuousClock.now
      let late = state.callers.filter { $0.deadline <= now }
      state.callers.removeAll { $0.deadline <= now }
      return (late, state.refusal?.error)
    }
    for caller in late {
      let error = error ?? .unavailable("The server did not accept a connection in time")
      caller.waiter.resume(returning: .failure(error))
    }
  }
}
