import Synchronization

extension ResourceCache {
  /// Loads the keys without a value, and refreshes the stale ones.
  ///
  /// At most as many loads run at a time as the policy allows. A failing key does not delay the
  /// others. Cancelling the task cancels the loads that have no other waiter.
  ///
  /// - Returns: The number of keys that now have a value.
  @discardableResult
  public func prefetch(_ keys: some Sequence<Key>) async -> Int {
    await load(Array(keys), .fresh)
  }

  /// Refreshes the keys whose values in memory are stale or too old.
  ///
  /// At most as many loads run at a time as the policy allows.
  ///
  /// - Returns: The number of keys whose value was loaded, or confirmed by the server.
  @discardableResult
  public func refreshStale(_ keys: some Sequence<Key>) async -> Int {
    let now = now()
    let stale = keys.filter { key in
      state.withLock { state in
        guard let entry = state.entries.peek(key) else { return false }
        return now - entry.loadedAt >= entry.freshFor
      }
    }
    return await load(stale, .fresh)
  }

  /// Refreshes all values in memory that are stale or too old.
  ///
  /// - Complexity: O(values in memory), not counting the loads.
  @discardableResult
  public func refreshStale() async -> Int {
    await refreshStale(state.withLock { $0.entries.keys })
  }

  private func load(_ keys: [Key], _ demand: Demand) async -> Int {
    await withTaskGroup(of: Bool.self) { group in
      var rest = keys.makeIterator()
      func addNext() {
        guard !Task.isCancelled, let key = rest.next() else { return }
        group.addTask { (try? await self.load(key, demand)) != nil }
      }
      for _ in 0..<max(policy.parallelLoads, 1) { addNext() }
      var count = 0
      for await hasLoaded in group {
        if hasLoaded { count += 1 }
        addNext()
      }
      return count
    }
  }

  private func load(_ key: Key, _ demand: Demand) async throws -> Value {
    try await wait(for: key, demand, state.withLock { $0.takeNumber() })
  }
}
