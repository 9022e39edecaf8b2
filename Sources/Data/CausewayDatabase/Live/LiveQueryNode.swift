import CausewayBasics
import Synchronization

/// One query that all identical live queries share.
///
/// The node has no task. One waiting consumer, the leader, runs the query in its own task, and the
/// other consumers wait for the result. Therefore a query without a waiting consumer does not run,
/// and the query runs with the priority of a consumer. A test that controls the order of tasks also
/// controls the queries.
final class LiveQueryNode<Row: Equatable & Sendable>: Sendable {
  typealias Fetch = @Sendable () async throws -> LiveQueryFetch<Row>

  enum Turn: Sendable {
    case rows(LiveRows<Row>, version: Int)
    case failed(PersistenceError)
    case ended
  }

  /// The next step of a consumer.
  private enum Step: Sendable {
    case take(Turn)
    /// Run the query for all consumers.
    case lead
    case wait
  }

  private struct Consumer {
    let required: Int
    /// Resumed with `true` if the consumer must run the query, and with `false` if it must check
    /// the state again.
    let waiter: Waiter<Bool>
  }

  private struct State {
    var rows = LiveRows<Row>([])
    var history = RowHistory()
    /// The number of different results so far; 0 before the first result.
    var version = 0
    /// One for the creation of the query, plus the number of commits that affect it.
    var commits = 1
    /// The value of `commits` for which the rows were read.
    var covered = 0
    var fetchCount = 0
    /// Unknown before the first run; until then every commit affects the query.
    var tables: Set<String>?
    var isLed = false
    /// The changes since the last run began; recorded only while data signals are observed.
    var causes = TableChanges.none
    /// The changes that caused the current run; removed when its rows are settled.
    var runCauses = TableChanges.none
    var end: Turn?
    /// The waiting consumers in the order of their calls, which is also the order of waking.
    var consumers: [Consumer] = []

    var isStale: Bool { covered < commits }

    mutating func step(after seen: Int, covering required: Int, hasWaited: Bool) -> Step {
      if let end { return .take(end) }
      // A new caller gets the newest rows. A consumer that has waited gets the rows that arrived,
      // even if they are stale by now. Otherwise commits without a pause would make it wait
      // forever.
      if version > seen, covered >= required, hasWaited || !isStale {
        var rows = rows
        rows.changedIDs = history.changes(after: seen)
        return .take(.rows(rows, version: version))
      }
      guard isStale, !isLed else { return .wait }
      isLed = true
      return .lead
    }

    /// Returns the commits that the run includes, whether it is the first run, and its causes.
    ///
    /// If the leader of a run is cancelled, the causes of that run are also causes of the next run.
    mutating func beginRun() -> (commits: Int, isFirst: Bool, causes: TableChanges) {
      runCauses.formUnion(causes)
      causes = .none
      return (commits, version == 0, runCauses)
    }

    /// If the query must run, makes the consumer that has waited longest the leader.
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

  /// The number of consumers that are woken before other tasks of the process run.
  private static var wakeLimit: Int { 8 }

  /// The text of the query, without its values.
  private let text: String
  private let fetch: Fetch
  private let pause: RunPause?
  private let noteTables: @Sendable (Set<String>) -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - text: The text of the query, for data signals.
  ///   - pause: The pause between two runs; `nil` for none.
  ///   - fetch: Runs the query.
  ///   - noteTables: Called before new rows are delivered, if the query now reads other tables.
  init(
    _ text: String, pause: RunPause?, fetch: @escaping Fetch,
    noteTables: @escaping @Sendable (Set<String>) -> Void
  ) {
    self.text = text
    self.pause = pause
    self.fetch = fetch
    self.noteTables = noteTables
  }

  var hasEnded: Bool { state.withLock { $0.end != nil } }

  /// The commit count that the rows of a new subscription must include.
  var commits: Int { state.withLock { $0.commits } }

  /// The number of runs of the query, including a run that is still due.
  var fetchCount: Int { state.withLock { $0.fetchCount + ($0.isStale ? 1 : 0) } }

  /// Ends the sequences of all consumers.
  func end() {
    end(.ended)
  }

  /// Waits for rows that a consumer has not seen, and returns them.
  ///
  /// - Parameters:
  ///   - seen: The version that the consumer has seen; 0 for none.
  ///   - required: The commit count that the rows must include.
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

  /// Runs the query off the consumer's actor, because comparing many rows takes time too.
  @concurrent private func lead() async {
    var run = SignalTimer()
    var reason = "first run"
    do {
      try Task.checkCancellation()
      try await pause?.wait()
      if hasEnded { return }
      // The run also includes the commits during the pause.
      let (commits, isFirst, causes) = state.withLock { $0.beginRun() }
      pause?.beginRun()
      if DataSignals.areObserved {
        (run, reason) = (SignalTimer(), Self.reason(isFirst: isFirst, causes))
      }
      let fetched = try await fetch()
      DataSignals.send(
        .query(sql: text, rows: fetched.rows.count, took: run.elapsed, reason: reason))
      await settle(fetched, covering: commits)
    } catch  where Task.isCancelled {
      // Only this consumer was cancelled; the next consumer takes over.
      let next: Consumer? = state.withLock { state in
        state.isLed = false
        return state.takeNextLeader()
      }
      next?.waiter.resume(returning: true)
    } catch {
      let error =
        error as? PersistenceError
        ?? PersistenceError(.other, message: "The live query failed: \(error)")
      DataSignals.send(
        .failedQuery(sql: text, took: run.elapsed, reason: reason, error: "\(error.kind)"))
      end(.failed(error))
    }
  }

  /// Why the query runs now.
  private static func reason(isFirst: Bool, _ causes: TableChanges) -> String {
    switch causes {
    case _ where isFirst: "first run"
    case .tables(let tables) where !tables.isEmpty:
      "after changes of \(tables.sorted().joined(separator: ", "))"
    case .tables, .everything: "after changes"
    }
  }

  private func settle(_ fetched: LiveQueryFetch<Row>, covering commits: Int) async {
    let (rows, version, tables) = state.withLock { ($0.rows, $0.version, $0.tables) }
    if tables != fetched.tables { noteTables(fetched.tables) }
    // The rows are compared without the lock, because commits need it. Only the leader changes the
    // rows.
    let isNew = version == 0 || (fetched.isDifferent ?? !rows.hasEqualRows(as: fetched.rows))
    let isFollowed = fetched.isDifferent != nil
    let woken: [Consumer] = state.withLock { state in
      let wasCovered = state.covered
      state.tables = fetched.tables
      state.covered = commits
      state.fetchCount += 1
      // Equal rows may have different identities.
      if isNew || isFollowed { state.rows = fetched.rows }
      state.history.add(isFollowed ? fetched.rows.changedIDs : nil)
      state.runCauses = .none
      if isNew {
        state.version += 1
        state.history.seal(state.version)
        return state.takeConsumers()
      }
      // Unchanged rows are only delivered to consumers that required newer rows than before.
      let woken = state.consumers.filter { $0.required > wasCovered }
      state.consumers.removeAll { $0.required > wasCovered }
      return woken
    }
    // Rows can have deinitialisers, so the old rows are released after the unlock.
    withExtendedLifetime(rows) {}
    await wake(woken)
    pause?.endRun()
    // The next run starts only now. So commits that follow each other quickly share a run.
    let leader: Consumer? = state.withLock { state in
      state.isLed = false
      return state.takeNextLeader()
    }
    leader?.waiter.resume(returning: true)
  }

  /// Wakes consumers in groups, so that other tasks, such as writes, run in between.
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

  /// Waits for a change of the state; returns whether the caller must run the query.
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
      if DataSignals.areObserved { state.causes.formUnion(changes) }
      return state.takeNextLeader()
    }
    leader?.waiter.resume(returning: true)
  }
}
