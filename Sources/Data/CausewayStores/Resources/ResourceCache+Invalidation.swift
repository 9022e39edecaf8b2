import Synchronization

extension ResourceCache {
  /// Makes the value of a key stale, for example because the server has announced a change.
  ///
  /// The next ``value(for:)`` returns the stale value and loads a newer one. A running load starts
  /// again, because its response may be older than the change; its callers get the newer value.
  /// Values on disk also count as stale, until the process ends. This call itself does not load.
  public func invalidate(_ key: Key) {
    invalidate([key]) { $0.add(key, at: $1) }
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
    invalidate(keys.filter(isOutOfDate)) { $0.add(isOutOfDate, at: $1) }
  }

  /// Returns the number of a new connection for ``invalidate(_:of:tags:)``.
  package func takeJoinNumber() -> UInt64 { state.withLock { $0.takeNumber() } }

  /// Makes the values that depend on a changed tag stale.
  ///
  /// - Parameters:
  ///   - join: The number of the connection, from ``takeJoinNumber()``.
  ///   - tags: Returns the tags of a key; the same function for all calls with this number.
  package func invalidate(
    _ changed: Set<DataTag>, of join: UInt64, tags: @escaping @Sendable (Key) -> Set<DataTag>
  ) {
    let keys = state.withLock { $0.entries.keys + $0.loads.keys }
    invalidate(keys.filter { !tags($0).isDisjoint(with: changed) }) {
      $0.add(changed, of: join, tags: tags, at: $1)
    }
  }

  private func invalidate(
    _ keys: [Key],
    _ remember: (inout ResourceInvalidations<Key>, Duration) -> [any Sendable]
  ) {
    let now = now()
    let aftermath = state.withLock { state in
      var aftermath = CacheState<Key, Value>.Aftermath()
      if source.disk != nil { aftermath.released = remember(&state.invalidations, now) }
      for key in keys {
        if let node = state.entries.find(key) {
          let stale = now - node.pointee.element.freshFor
          node.pointee.element.loadedAt = min(node.pointee.element.loadedAt, stale)
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
  /// - Throws: The error of the sequence. Errors of failed loads are not thrown.
  public func refreshStale<Signals: AsyncSequence>(
    on signals: Signals, keys: (@Sendable () async -> [Key])? = nil
  ) async throws(Signals.Failure) {
    for try await _ in signals {
      if let keys { await refreshStale(await keys()) } else { await refreshStale() }
    }
  }
}

/// The invalidations of a cache with a disk.
///
/// The functions return the removed closures. The caller releases them outside of the lock.
struct ResourceInvalidations<Key: Hashable & Sendable>: Sendable {
  /// The latest change of each tag of a connection.
  private struct Join: Sendable {
    let number: UInt64
    let tags: @Sendable (Key) -> Set<DataTag>
    var times = LatestTimes<DataTag>()
  }

  private static var limit: Int { 64 }

  private var keys = LatestTimes<Key>()
  private var latest: [(matches: @Sendable (Key) -> Bool, time: Duration)] = []
  private var joins: [Join] = []
  /// Values of any key that were loaded before this time count as invalidated.
  private var floor: Duration?

  /// Changes with each invalidation.
  private(set) var version = 0

  @discardableResult
  mutating func add(_ key: Key, at time: Duration) -> [any Sendable] {
    version += 1
    keys.add(key, at: time)
    return []
  }

  @discardableResult
  mutating func add(
    _ matches: @escaping @Sendable (Key) -> Bool, at time: Duration
  ) -> [any Sendable] {
    version += 1
    latest.append((matches, time))
    guard latest.count > Self.limit else { return [] }
    // The older half becomes one invalidation of all keys. This costs requests, but never shows an
    // old value as fresh.
    let joined = latest[Self.limit / 2 - 1].time
    floor = max(floor ?? joined, joined)
    defer { latest.removeFirst(Self.limit / 2) }
    return latest.prefix(Self.limit / 2).map(\.matches)
  }

  /// Adds changed tags of a connection; the memory does not grow with the number of changes.
  @discardableResult
  mutating func add(
    _ changed: Set<DataTag>, of number: UInt64, tags: @escaping @Sendable (Key) -> Set<DataTag>,
    at time: Duration
  ) -> [any Sendable] {
    version += 1
    if let index = joins.firstIndex(where: { $0.number == number }) {
      for tag in changed { joins[index].times.add(tag, at: time) }
      return []
    }
    var join = Join(number: number, tags: tags)
    for tag in changed { join.times.add(tag, at: time) }
    joins.append(join)
    guard joins.count > Self.limit else { return [] }
    // The changes of the oldest connection now count as changes of all keys. The connection may
    // have ended.
    let oldest = joins.removeFirst()
    if let last = oldest.times.last { floor = max(floor ?? last, last) }
    return [oldest.tags]
  }

  /// Whether the value of a key was invalidated after it was loaded.
  ///
  /// The function calls code from outside the cache.
  func isInvalidated(_ key: Key, loadedAt: Duration) -> Bool {
    if let floor, loadedAt <= floor { return true }
    if let time = keys.time(of: key), loadedAt <= time { return true }
    if latest.contains(where: { loadedAt <= $0.time && $0.matches(key) }) { return true }
    return joins.contains { join in
      guard let last = join.times.last, loadedAt <= last else { return false }
      return join.tags(key).contains { join.times.time(of: $0).map { loadedAt <= $0 } ?? false }
    }
  }
}

/// The latest time of each of the most recent elements.
private struct LatestTimes<Element: Hashable & Sendable>: Sendable {
  private static var limit: Int { 4096 }

  private var times: [Element: Duration] = [:]
  /// The time of elements without an entry; `nil` if no entry was removed.
  private var floor: Duration?
  /// The latest time of all elements.
  private(set) var last: Duration?

  func time(of element: Element) -> Duration? { times[element] ?? floor }

  mutating func add(_ element: Element, at time: Duration) {
    times[element] = time
    last = max(last ?? time, time)
    guard times.count > Self.limit else { return }
    // Half of the entries are removed at once, so the cost of each insertion stays small.
    for (element, time) in times.sorted(by: { $0.value < $1.value }).prefix(Self.limit / 2) {
      times[element] = nil
      floor = max(floor ?? time, time)
    }
  }
}
