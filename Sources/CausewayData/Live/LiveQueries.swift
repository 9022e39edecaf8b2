import Synchronization

/// The live queries of a persistence service: which ones are shared, and which ones run again after
/// a commit.
///
/// For implementations of `PersistenceService`. The service keeps one, makes its live queries with
/// it, and tells it what each commit changed before the write returns:
///
/// ```swift
/// nonisolated func observe<T: Decodable & Equatable & Sendable>(
///   _ query: SQL, as type: T.Type
/// ) -> LiveQuery<T> {
///   live.observe(query, as: type) { [self] in try await fetch(query, as: type) }
/// }
/// ```
///
/// Queries run in the tasks of their waiting consumers, so a query without a waiting consumer costs
/// a commit next to nothing.
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

    // By their bytes, as databases compare. Swift's strings are equal in other cases as well, such
    // as an é in one part and in two.
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
    var nextNumber = 0
    var watch: Task<Void, Never>?
    var isClosed = false
  }

  /// Waits until other processes may have committed; returns whether they have, or `nil` to stop.
  public typealias Watch = @Sendable () async -> Bool?

  private let state = Mutex(State())

  /// Makes an empty registry.
  public init() {}

  deinit {
    state.withLock { $0.watch }?.cancel()
  }

  /// The number of different queries that are kept up to date.
  package var count: Int { state.withLock { $0.entries.count } }

  /// How often the kept queries have run, with those that are due.
  package var fetchCount: Int {
    state.withLock { $0.entries.values.reduce(0) { $0 + $1.node.fetchCount } }
  }

  /// Registers a live query, or joins an identical one.
  ///
  /// - Parameters:
  ///   - query: The query, with its bound values.
  ///   - type: What a row becomes.
  ///   - watch: Called again and again while there are live queries, by one task for all of them;
  ///     `nil` if no other process can commit. It and `fetch` may hold the service.
  ///   - fetch: Runs the query; called in the task of a consumer, on no actor. What it throws ends
  ///     the live query, unless the consumer was cancelled.
  /// - Complexity: O(1) on average.
  public func observe<Row: Decodable & Equatable & Sendable>(
    _ query: SQL, as type: Row.Type, watch: Watch? = nil,
    fetch: @escaping @Sendable () async throws -> LiveQueryFetch<Row>
  ) -> LiveQuery<Row> {
    let key = Key(query: query, row: ObjectIdentifier(type))
    let subscription = state.withLock { state in
      if let node = state.entries[key]?.node as? LiveQueryNode<Row>, !node.hasEnded {
        state.entries[key]?.subscriptions += 1
        return LiveQuerySubscription(
          node, required: node.commits, registry: self, key: key)
      }
      let node = LiveQueryNode(fetch: fetch)
      if state.isClosed {
        node.end()
      } else {
        state.entries[key] = Entry(node: node, number: state.nextNumber, subscriptions: 1)
        state.nextNumber += 1
        if let watch { startWatching(watch, &state) }
      }
      return LiveQuerySubscription(node, required: 1, registry: self, key: key)
    }
    return LiveQuery(subscription)
  }

  /// Makes the live queries that read the changed tables run again; call it after each commit.
  ///
  /// - Complexity: O(*n* log *n*) in the different queries, whatever the number of consumers.
  public func invalidate(_ changes: TableChanges) {
    guard changes != .none else { return }
    // In the order in which they were made, so that equal runs wake consumers equally.
    let entries = state.withLock { $0.entries.values.sorted { $0.number < $1.number } }
    for entry in entries { entry.node.invalidate(changes) }
  }

  /// Ends all live queries, and at once those made later.
  ///
  /// - Complexity: O(consumers).
  public func close() {
    let (nodes, watch) = state.withLock { state in
      state.isClosed = true
      defer { state.entries = [:] }
      return (state.entries.values.map(\.node), state.watch.take())
    }
    watch?.cancel()
    for node in nodes { node.end() }
  }

  func release(_ node: any Node, key: Key) {
    let (isUnused, watch) = state.withLock { state in
      // A failed query was replaced by its successor, which has its own subscriptions.
      guard let entry = state.entries[key], entry.node === node else {
        return (false, Task<Void, Never>?.none)
      }
      guard entry.subscriptions == 1 else {
        state.entries[key]?.subscriptions -= 1
        return (false, nil)
      }
      state.entries[key] = nil
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
