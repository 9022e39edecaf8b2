import Synchronization

/// The live queries of a service: who shares what, and who has to look again after a commit.
package final class LiveQueries: Sendable {
  protocol Node: AnyObject, Sendable {
    var hasEnded: Bool { get }
    var nextSettled: Int { get }
    func invalidate(_ changes: TableChanges)
    func end()
  }

  struct Key: Hashable, Sendable {
    let query: SQL
    let row: ObjectIdentifier
  }

  private struct Entry {
    let node: any Node
    var subscriptions: Int
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var watch: Task<Void, Never>?
    var isClosed = false
  }

  /// Waits until other processes may have committed; returns whether they have, or nil to stop.
  package typealias Watch = @Sendable () async -> Bool?

  private let watch: Watch?
  private let state = Mutex(State())

  /// - Parameter watch: Called again and again while there are live queries.
  package init(watch: Watch?) {
    self.watch = watch
  }

  deinit {
    state.withLock { $0.watch }?.cancel()
  }

  /// The number of different queries that are kept up to date.
  package var count: Int { state.withLock { $0.entries.count } }

  /// How often the kept queries have run or are about to.
  package var fetchCount: Int {
    state.withLock { $0.entries.values.reduce(0) { $0 + $1.node.nextSettled } }
  }

  /// Registers a live query, or joins an identical one.
  package func observe<Row: Decodable & Equatable & Sendable>(
    _ query: SQL, as type: Row.Type,
    fetch: @escaping @Sendable () async throws -> LiveQueryFetch<Row>
  ) -> LiveQuery<Row> {
    let key = Key(query: query, row: ObjectIdentifier(type))
    let subscription = state.withLock { state in
      if let node = state.entries[key]?.node as? LiveQueryNode<Row>, !node.hasEnded {
        state.entries[key]?.subscriptions += 1
        return LiveQuerySubscription(
          node, firstFetch: node.nextSettled, registry: self, key: key)
      }
      let node = LiveQueryNode(fetch: fetch)
      if state.isClosed {
        node.end()
      } else {
        state.entries[key] = Entry(node: node, subscriptions: 1)
        node.refresh()
        startWatching(&state)
      }
      return LiveQuerySubscription(node, firstFetch: 1, registry: self, key: key)
    }
    return LiveQuery(subscription)
  }

  /// Makes the live queries that read the changed tables run again.
  ///
  /// - Complexity: O(different queries), whatever the number of consumers.
  package func invalidate(_ changes: TableChanges) {
    guard changes != .none else { return }
    for node in state.withLock({ $0.entries.values.map(\.node) }) { node.invalidate(changes) }
  }

  /// Ends all live queries, and at once those made later.
  package func close() {
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

  private func startWatching(_ state: inout State) {
    guard let watch, state.watch == nil else { return }
    state.watch = Task { [weak self] in
      while !Task.isCancelled, let hasChanged = await watch() {
        if hasChanged { self?.invalidate(.everything) }
      }
    }
  }
}
