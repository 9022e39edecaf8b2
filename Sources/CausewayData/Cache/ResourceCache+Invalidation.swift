import Synchronization

extension ResourceCache {
  /// Makes the value of a key stale, for example because the server has announced a change.
  ///
  /// The next ``value(for:)`` returns the stale value and loads a newer one. A running load starts
  /// again, because its response may be older than the change; its callers get the newer value.
  /// Values on disk become stale too, until the end of the process. This call itself does not load.
  public func invalidate(_ key: Key) {
    invalidate([key]) { $0 == key }
  }

  /// Makes the values of all matching keys stale, as ``invalidate(_:)`` does for a single key.
  ///
  /// ``DataFreshness/join(_:tags:)`` calls this for the tags of a write.
  ///
  /// - Parameter isOutOfDate: Returns whether the value of a key is out of date. It must always
  ///   return the same result for the same key, on any thread. The cache keeps the closure for
  ///   values that are on disk.
  /// - Complexity: O(values in memory).
  public func invalidate(where isOutOfDate: @escaping @Sendable (Key) -> Bool) {
    // Code from outside the cache does not run under the lock.
    let keys = state.withLock { $0.entries.keys + $0.loads.keys }
    invalidate(keys.filter(isOutOfDate), isOutOfDate)
  }

  private func invalidate(_ keys: [Key], _ isOutOfDate: @escaping @Sendable (Key) -> Bool) {
    let now = now()
    let aftermath = state.withLock { state in
      var aftermath = CacheState<Key, Value>.Aftermath()
      if source.disk != nil { state.invalidations.add(isOutOfDate, at: now) }
      for key in keys {
        if let node = state.entries.find(key) {
          node.pointee.element.loadedAt = min(node.pointee.element.loadedAt, now - policy.freshFor)
        }
        if state.loads.load(key)?.task != nil, let task = state.loads.supersede(key) {
          aftermath.cancelled.append(task)
        }
      }
      startLoads(&state)
      return aftermath
    }
    aftermath.perform()
  }

  /// Refreshes stale values whenever a sequence yields, until the sequence ends.
  ///
  /// ```swift
  /// // The app came to the foreground, or the network is back.
  /// await pictures.refreshStale(on: appEvents) { await screen.visibleIDs }
  /// ```
  ///
  /// Any sequence can be the signal: system notifications, a path monitor, or the states of an
  /// event stream. If signals arrive during a refresh, the next refresh handles them.
  ///
  /// - Parameters:
  ///   - signals: Yields when stale values should be refreshed.
  ///   - keys: Returns the keys to refresh, for example those on the screen. Default: all keys in
  ///     memory.
  /// - Throws: The error of the sequence. Failed loads are not thrown.
  public func refreshStale<Signals: AsyncSequence>(
    on signals: Signals, keys: (@Sendable () async -> [Key])? = nil
  ) async throws(Signals.Failure) {
    for try await _ in signals {
      if let keys { await refreshStale(await keys()) } else { await refreshStale() }
    }
  }
}

/// The invalidations of a cache with a disk.
struct ResourceInvalidations<Key: Sendable>: Sendable {
  private static var limit: Int { 64 }

  private var latest: [(matches: @Sendable (Key) -> Bool, time: Duration)] = []
  /// Values of any key that are older than this count as invalidated.
  private var floor: Duration?

  /// Changes with each invalidation.
  private(set) var version = 0

  mutating func add(_ matches: @escaping @Sendable (Key) -> Bool, at time: Duration) {
    version += 1
    latest.append((matches, time))
    guard latest.count > Self.limit else { return }
    // Half of the entries are merged into one limit. This can cause extra requests, but an old
    // value never counts as fresh.
    floor = latest[Self.limit / 2 - 1].time
    latest.removeFirst(Self.limit / 2)
  }

  /// Whether the value of a key was invalidated after it was loaded; calls a closure of the app.
  func isInvalidated(_ key: Key, loadedAt: Duration) -> Bool {
    if let floor, loadedAt <= floor { return true }
    return latest.contains { loadedAt <= $0.time && $0.matches(key) }
  }
}
