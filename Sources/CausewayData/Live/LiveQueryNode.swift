import Synchronization

/// One query that any number of identical live queries share.
///
/// It has no task of its own: the query runs in the task of a consumer that asks for rows, the
/// leader, and the others wait for it. So a query without a waiting consumer is not run, a consumer's
/// priority counts, and a test that decides what runs next decides here too.
final class LiveQueryNode<Row: Equatable & Sendable>: Sendable {
  typealias Fetch = @Sendable () async throws -> LiveQueryFetch<Row>

  enum Turn: Sendable {
    case rows([Row], version: Int)
    case failed(PersistenceError)
    case ended
  }

  /// What a consumer has to do.
  private enum Step: Sendable {
    case take(Turn)
    /// Run the query for everybody.
    case lead
    case wait
  }

  private struct Consumer {
    let required: Int
    /// Resumed with true to run the query, with false to look again.
    let waiter: Waiter<Bool>
  }

  private struct State {
    var rows: [Row] = []
    /// Counts the different rows so far; 0 before the first ones.
    var version = 0
    /// Counts what the rows have to include: making the query, then each commit that touched it.
    var commits = 1
    /// How many of those the rows do include.
    var covered = 0
    var fetchCount = 0
    /// Unknown before the first fetch; until then every commit counts.
    var tables: Set<String>?
    var isLed = false
    var end: Turn?
    /// In the order of their calls, so that equal runs wake them equally.
    var consumers: [Consumer] = []

    var isStale: Bool { covered < commits }

    mutating func step(after seen: Int, covering required: Int, hasWaited: Bool) -> Step {
      if let end { return .take(end) }
      // Who asks gets the newest there is; who has waited gets what came, or commits without a
      // pause would keep it waiting for ever.
      if version > seen, covered >= required, hasWaited || !isStale {
        return .take(.rows(rows, version: version))
      }
      guard isStale, !isLed else { return .wait }
      isLed = true
      return .lead
    }

    /// Makes the consumer that has waited longest the leader, if there is something to fetch.
    mutating func takeNextLeader() -> Consumer? {
      guard isStale, !isLed, end == nil, !consumers.isEmpty else { return nil }
      isLed = true
      return consumers.removeFirst()
    }

    mutating func takeConsumers() -> [Consumer] {
      defer { consumers = [] }
      return consumers
    }
  }

  /// How many consumers are woken before other tasks of the process run.
  private static var wakeLimit: Int { 8 }

  private let fetch: Fetch
  private let noteTables: @Sendable (Set<String>) -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - fetch: Runs the query.
  ///   - noteTables: Called before new rows are delivered when the query reads other tables than
  ///     before.
  init(fetch: @escaping Fetch, noteTables: @escaping @Sendable (Set<String>) -> Void) {
    self.fetch = fetch
    self.noteTables = noteTables
  }

  var hasEnded: Bool { state.withLock { $0.end != nil } }

  /// What the rows of a subscription made now have to include.
  var commits: Int { state.withLock { $0.commits } }

  /// How often the query has run, with the one that is due.
  var fetchCount: Int { state.withLock { $0.fetchCount + ($0.isStale ? 1 : 0) } }

  /// Ends all consumers.
  func end() {
    end(.ended)
  }

  /// The rows that a consumer has not seen, once there are any.
  ///
  /// - Parameters:
  ///   - seen: The version that the consumer has seen; 0 for none.
  ///   - required: What the rows have to include.
  func next(
    after seen: Int, covering required: Int, isolation: isolated (any Actor)?
  ) async -> Turn {
    var hasWaited = false
    while !Task.isCancelled {
      switch state.withLock({
        $0.step(after: seen, covering: required, hasWaited: hasWaited)
      }) {
      case .take(let turn): return turn
      case .lead: await lead()
      case .wait:
        let leads = await wait(after: seen, covering: required, isolation: isolation)
        if leads { await lead() }
      }
      hasWaited = true
    }
    return .ended
  }

  /// Runs the query, off the consumer's actor: comparing many rows takes time too.
  @concurrent private func lead() async {
    let commits = self.commits
    do {
      try Task.checkCancellation()
      await settle(try await fetch(), covering: commits)
    } catch  where Task.isCancelled {
      // Only this consumer is gone; the next one takes over.
      let next: Consumer? = state.withLock { state in
        state.isLed = false
        return state.takeNextLeader()
      }
      next?.waiter.resume(returning: true)
    } catch let error as PersistenceError {
      end(.failed(error))
    } catch {
      end(.failed(PersistenceError(.other, message: "The live query failed: \(error)")))
    }
  }

  private func settle(_ fetched: LiveQueryFetch<Row>, covering commits: Int) async {
    let (rows, version, tables) = state.withLock { ($0.rows, $0.version, $0.tables) }
    if tables != fetched.tables { noteTables(fetched.tables) }
    // Without the lock, which commits need. Only the leader changes the rows.
    let isNew = version == 0 || rows != fetched.rows
    let woken: [Consumer] = state.withLock { state in
      let wasCovered = state.covered
      state.tables = fetched.tables
      state.covered = commits
      state.fetchCount += 1
      if isNew {
        state.rows = fetched.rows
        state.version += 1
        return state.takeConsumers()
      }
      // Rows that did not change concern only those for whom they were too old.
      let woken = state.consumers.filter { $0.required > wasCovered }
      state.consumers.removeAll { $0.required > wasCovered }
      return woken
    }
    await wake(woken)
    // Only now, so that commits that come faster than consumers can take rows share a fetch.
    let leader: Consumer? = state.withLock { state in
      state.isLed = false
      return state.takeNextLeader()
    }
    leader?.waiter.resume(returning: true)
  }

  /// Wakes consumers in groups, so that other tasks, such as writes, do not wait for all of them.
  private func wake(_ consumers: [Consumer]) async {
    for (index, consumer) in consumers.enumerated() {
      if index > 0, index.isMultiple(of: Self.wakeLimit) { await Task.yield() }
      consumer.waiter.resume(returning: false)
    }
  }

  private func end(_ turn: Turn) {
    let consumers: [Consumer] = state.withLock { state in
      if state.end == nil { state.end = turn }
      return state.takeConsumers()
    }
    for consumer in consumers { consumer.waiter.resume(returning: false) }
  }

  /// Waits until there is something to look at; returns whether the caller has to lead.
  private func wait(
    after seen: Int, covering required: Int, isolation: isolated (any Actor)?
  ) async -> Bool {
    let waiter = Waiter<Bool>()
    let leads: Bool? = state.withLock { state in
      switch state.step(after: seen, covering: required, hasWaited: true) {
      case .take: return false
      case .lead: return true
      case .wait: break
      }
      state.consumers.append(Consumer(required: required, waiter: waiter))
      return nil
    }
    if let leads { return leads }
    return await waiter.value { waiter in
      let isWaiting = state.withLock { state in
        guard let index = state.consumers.firstIndex(where: { $0.waiter === waiter }) else {
          return false
        }
        state.consumers.remove(at: index)
        return true
      }
      if isWaiting { waiter.resume(returning: false) }
    }
  }
}

extension LiveQueryNode: LiveQueries.Node {
  func invalidate(_ changes: TableChanges) {
    let leader: Consumer? = state.withLock { state in
      guard state.tables.map(changes.touches) ?? true else { return nil }
      state.commits += 1
      return state.takeNextLeader()
    }
    leader?.waiter.resume(returning: true)
  }
}
