import Synchronization

/// The live queries of a persistence service.
///
/// It shares identical queries, and runs them after commits.
///
/// Implementations of `PersistenceService` use this class. The service owns one instance and makes
/// its live queries with it. Before a write returns, the service reports the changes of the commit:
///
/// ```swift
/// nonisolated func observe<T: Decodable & Equatable & Sendable>(
///   _ query: SQL, as type: T.Type
/// ) -> LiveQuery<T> {
///   live.observe(query, as: type) { [self] in
///     (rows: try await rows(query, as: type), tables: tables(of: query))
///   }
/// }
/// ```
///
/// A query runs in the task of a waiting consumer. Therefore, a commit does not run a query without
/// a waiting consumer.
public final class LiveQueries: Sendable {
  protocol Node: AnyObject, Sendable {
    var hasEnded: Bool { get }
    var fetchCount: Int { get }
    func invalidate(_ changes: TableChanges)
    func end()
  }

  struct Key: Hashable, Sendable {
    let query: SQL
    let row: ObjectIdentifier

    // Texts are compared by bytes, as databases do. Swift treats different encodings of a character
    // as equal, such as the two encodings of é.
    static func == (left: Key, right: Key) -> Bool {
      left.row == right.row && left.query.hasSameBytes(as: right.query)
    }
  }

  private struct Entry {
    let node: any Node
    let number: Int
    var subscriptions: Int
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var readers = TableReaders()
    var nextNumber = 0
    var watch: Task<Void, Never>?
    var isClosed = false
  }

  /// Waits for a commit of another process.
  ///
  /// Returns whether there was a commit, or `nil` to stop.
  public typealias Watch = @Sendable () async -> Bool?

  private let state = Mutex(State())
  private let makePause: @Sendable (Duration) -> RunPause

  /// Makes an empty registry.
  public convenience init() { self.init(clock: ContinuousClock()) }

  /// Makes an empty registry whose queries wait on a clock between two runs.
  package init(clock: some Clock<Duration>) {
    let load = RunLoad()
    makePause = { RunPause($0, load: load, clock: clock) }
  }

  deinit {
    state.withLock { $0.watch }?.cancel()
  }

  /// The number of different live queries.
  package var count: Int { state.withLock { $0.entries.count } }

  /// The number of runs of the current queries, including the runs that are still due.
  package var fetchCount: Int {
    state.withLock { $0.entries.values.reduce(0) { $0 + $1.node.fetchCount } }
  }

  /// Registers a live query.
  ///
  /// An identical query that is already registered is shared.
  ///
  /// - Parameters:
  ///   - query: The query, with its bound values.
  ///   - type: The type of a row.
  ///   - interval: The shortest pause between two runs of the query. The commits during the pause
  ///     share the next run. Identical queries use the pause of the first one.
  ///   - watch: Called repeatedly by one task while live queries exist; `nil` if no other process
  ///     can commit. `watch` and `fetch` may retain the service.
  ///   - fetch: Runs the query in the task of a consumer, on no actor. It returns the rows at one moment,
  ///     and the tables that the query reads, including those in views and joins. An error ends the live
  ///     query, unless the consumer was cancelled.
  /// - Complexity: O(1) on average.
  public func observe<Row: Decodable & Equatable & Sendable>(
    _ query: SQL, as type: Row.Type, pause interval: Duration = .zero, watch: Watch? = nil,
    fetch: @escaping @Sendable () async throws -> (rows: [Row], tables: Set<String>)
  ) -> LiveQuery<Row> {
    observe(query, as: type, pause: interval, watch: watch) {
      let (rows, tables) = try await fetch()
      return LiveQueryFetch(rows: rows, tables: tables)
    }
  }

  /// Registers a live query, or joins an identical one, whose rows can have identities.
  package func observe<Row: Decodable & Equatable & Sendable>(
    _ query: SQL, as type: Row.Type, pause interval: Duration = .zero, watch: Watch? = nil,
    fetch: @escaping @Sendable () async throws -> LiveQueryFetch<Row>
  ) -> LiveQuery<Row> {
    let key = Key(query: query, row: ObjectIdentifier(type))
    let pause = interval > .zero ? makePause(interval) : nil
    // A failed query is released after the unlock, because it holds the rows and `fetch`.
    let (subscription, isClosed, _) = state.withLock { state in
      if let node = state.entries[key]?.node as? LiveQueryNode<Row>, !node.hasEnded {
        state.entries[key]?.subscriptions += 1
        let subscription = LiveQuerySubscription(
          node, required: node.commits, registry: self, key: key)
        return (subscription, false, (any Node)?.none)
      }
      let failed = state.entries[key]
      let number = state.nextNumber
      let node = LiveQueryNode(query.text, pause: pause, fetch: fetch) { [weak self] tables in
        self?.state.withLock { $0.readers.set(tables, of: number) }
      }
      if !state.isClosed {
        if let failed { state.readers.remove(failed.number) }
        state.entries[key] = Entry(node: node, number: number, subscriptions: 1)
        state.readers.add(node, number)
        state.nextNumber += 1
        if let watch { startWatching(watch, &state) }
      }
      let subscription = LiveQuerySubscription(node, required: 1, registry: self, key: key)
      return (subscription, state.isClosed, failed?.node)
    }
    if isClosed { subscription.node.end() }
    return LiveQuery(subscription)
  }

  /// Runs the live queries that read the changed tables again.
  ///
  /// Call it after each commit.
  ///
  /// - Parameter tables: The tables that the commit changed; `nil` if any table may have changed: the
  ///   schema was changed, or another process committed.
  /// - Complexity: O(*n* log *n*) in the number of different queries that read the changed tables.
  ///   The number of other queries and of consumers does not matter.
  public func invalidate(tables: Set<String>?) {
    invalidate(tables.map { .tables($0) } ?? .everything)
  }

  /// Runs the live queries that read the changed tables again.
  package func invalidate(_ changes: TableChanges) {
    guard changes != .none else { return }
    for node in state.withLock({ $0.readers.nodes(reading: changes) }) { node.invalidate(changes) }
  }

  /// Ends all live queries.
  ///
  /// Live queries that are made later end at once.
  ///
  /// - Complexity: O(consumers).
  public func close() {
    let (nodes, watch) = state.withLock { state in
      state.isClosed = true
      defer { (state.entries, state.readers) = ([:], TableReaders()) }
      return (state.entries.values.map(\.node), state.watch.take())
    }
    watch?.cancel()
    for node in nodes { node.end() }
  }

  func release(_ node: any Node, key: Key) {
    let (isUnused, watch) = state.withLock { state in
      // A new query may have replaced a failed one, and has its own subscriptions.
      guard let entry = state.entries[key], entry.node === node else {
        return (false, Task<Void, Never>?.none)
      }
      guard entry.subscriptions == 1 else {
        state.entries[key]?.subscriptions -= 1
        return (false, nil)
      }
      state.entries[key] = nil
      state.readers.remove(entry.number)
      return (true, state.entries.isEmpty ? state.watch.take() : nil)
    }
    watch?.cancel()
    if isUnused { node.end() }
  }

  private func startWatching(_ watch: @escaping Watch, _ state: inout State) {
    guard state.watch == nil else { return }
    state.watch = Task { [weak self] in
      while !Task.isCancelled, let hasChanged = await watch() {
        if hasChanged { self?.invalidate(.everything) }
      }
    }
  }
}
