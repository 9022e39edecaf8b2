import Synchronization

/// What a driver answers when a live query asks it for rows.
package struct LiveQueryFetch<Row: Sendable>: Sendable {
  package var rows: [Row]
  /// The tables that the query reads, through views and joins too.
  package var tables: Set<String>

  package init(rows: [Row], tables: Set<String>) {
    self.rows = rows
    self.tables = tables
  }
}

/// One query that any number of identical live queries share.
final class LiveQueryNode<Row: Equatable & Sendable>: Sendable {
  private typealias Continuation = CheckedContinuation<Void, Never>
  typealias Fetch = @Sendable () async throws -> LiveQueryFetch<Row>

  enum Turn: Sendable {
    case rows([Row], version: Int)
    case failed(PersistenceError)
    case ended
  }

  private struct State {
    var rows: [Row] = []
    /// Counts the different rows so far; 0 before the first ones.
    var version = 0
    /// Counts finished fetches, also those that changed nothing.
    var settled = 0
    /// Unknown before the first fetch; until then every commit counts.
    var tables: Set<String>?
    var fetching: Task<Void, Never>?
    /// A commit came after the running fetch began.
    var isStale = false
    var end: Turn?
    var waiters: [Int: Continuation] = [:]
    var nextWaiter = 0

    func turn(after seen: Int, settled required: Int) -> Turn? {
      if let end { return end }
      return settled >= required && version > seen ? .rows(rows, version: version) : nil
    }

    mutating func takeWaiters() -> [Continuation] {
      defer { waiters = [:] }
      return Array(waiters.values)
    }
  }

  private let fetch: Fetch
  private let state = Mutex(State())

  init(fetch: @escaping Fetch) {
    self.fetch = fetch
  }

  var hasEnded: Bool { state.withLock { $0.end != nil } }

  /// The number of finished fetches that a subscription made now has to wait for.
  var nextSettled: Int {
    state.withLock { $0.settled + ($0.fetching == nil ? 0 : 1) + ($0.isStale ? 1 : 0) }
  }

  /// Runs the query, or once more after the running one, so that it sees everything until now.
  func refresh() {
    state.withLock { state in
      guard state.end == nil else { return }
      if state.fetching == nil {
        state.fetching = Task { await run() }
      } else {
        state.isStale = true
      }
    }
  }

  /// Ends all consumers.
  func end() {
    end(.ended)
  }

  func next(
    after seen: Int, settled: Int, isolation: isolated (any Actor)?
  ) async -> Turn {
    while true {
      if Task.isCancelled { return .ended }
      let turn: Turn? = state.withLock { $0.turn(after: seen, settled: settled) }
      if let turn { return turn }
      await wait(after: seen, settled: settled, isolation: isolation)
    }
  }

  private func run() async {
    while true {
      let result: Result<LiveQueryFetch<Row>, any Error>
      do { result = .success(try await fetch()) } catch { result = .failure(error) }

      switch result {
      case .failure(let error as PersistenceError):
        return end(.failed(error))
      case .failure(let error):
        // Cancelled because nobody listens any more, or a driver that broke its contract.
        let message = "The live query failed: \(error)"
        return end(error is CancellationError ? .ended : .failed(.init(.other, message: message)))
      case .success(let fetched):
        guard settle(fetched) else { return }
      }
    }
  }

  /// Stores what was fetched; returns whether it is out of date already.
  private func settle(_ fetched: LiveQueryFetch<Row>) -> Bool {
    let (waiters, again): ([Continuation], Bool) = state.withLock { state in
      if state.version == 0 || state.rows != fetched.rows {
        state.rows = fetched.rows
        state.version += 1
      }
      state.tables = fetched.tables
      state.settled += 1
      let again = state.isStale && state.end == nil
      state.isStale = false
      if !again { state.fetching = nil }
      return (state.takeWaiters(), again)
    }
    for waiter in waiters { waiter.resume() }
    return again
  }

  private func end(_ turn: Turn) {
    let (waiters, task): ([Continuation], Task<Void, Never>?) = state.withLock { state in
      guard state.end == nil else { return ([], nil) }
      state.end = turn
      defer { state.fetching = nil }
      return (state.takeWaiters(), state.fetching)
    }
    for waiter in waiters { waiter.resume() }
    task?.cancel()
  }

  private func wait(after seen: Int, settled: Int, isolation: isolated (any Actor)?) async {
    let id = state.withLock { state in
      defer { state.nextWaiter += 1 }
      return state.nextWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          // The cancellation handler may have run before there was anything to resume.
          if Task.isCancelled || state.turn(after: seen, settled: settled) != nil { return true }
          state.waiters[id] = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      let waiter: Continuation? = state.withLock { $0.waiters.removeValue(forKey: id) }
      waiter?.resume()
    }
  }
}

extension LiveQueryNode: LiveQueries.Node {
  func invalidate(_ changes: TableChanges) {
    let isTouched = state.withLock { state in
      state.tables.map(changes.touches) ?? true
    }
    if isTouched { refresh() }
  }
}
