public import CausewayBasics
public import CausewayStores
import Synchronization

/// Records which stored data is out of date, for readers and writers.
///
/// Readers and writers of the same data share one instance. It exists only in memory: after a
/// restart, stored data counts as up to date until the next write.
public final class DataFreshness: Sendable {
  /// A point in the order of all invalidations.
  struct Version: Comparable {
    var number: UInt64 = 0
    static func < (left: Self, right: Self) -> Bool { left.number < right.number }
  }

  /// The versions of the most recent keys and tags.
  ///
  /// A key that was removed from the table counts as out of date. This costs a request but never
  /// returns wrong data.
  private struct State {
    var version = Version()
    var invalidations: [DataTag: Version] = [:]
    /// Tags that are not in the table count as invalidated at this version.
    var floor = Version()
    var refreshes: [String: Version] = [:]
    var requests: UInt64 = 0
    /// For each key, the last request whose response was stored.
    var stored: [String: UInt64] = [:]
    /// Keys that are not in the table count as stored by this request.
    var storedFloor: UInt64 = 0
    var observers: [UInt64: @Sendable (Set<DataTag>) -> Void] = [:]
    var lastObserver: UInt64 = 0
  }

  /// The number of a request, and the version of the data when it started.
  struct Request {
    let number: UInt64
    let version: Version
  }

  private let capacity: Int
  private let state = Mutex(State())

  /// Makes an instance in which nothing is out of date.
  public convenience init() {
    self.init(capacity: 4096)
  }

  package init(capacity: Int) {
    self.capacity = capacity
  }

  /// Marks data as out of date, for example when the server has announced a change.
  ///
  /// Requests with these tags that began earlier do not store their responses either.
  public func invalidate(_ tags: Set<DataTag>) {
    mark(tags)
    notify(tags)
  }

  /// Marks data as out of date without calling the observers.
  ///
  /// A transaction can call this, because it takes little time.
  func mark(_ tags: Set<DataTag>) {
    guard !tags.isEmpty else { return }
    state.withLock { mark(tags, in: &$0) }
  }

  /// Calls the observers of marked tags.
  ///
  /// Observers compare all keys of their caches, so call it outside of a transaction.
  func notify(_ tags: Set<DataTag>) {
    guard !tags.isEmpty else { return }
    for observer in state.withLock({ Array($0.observers.values) }) { observer(tags) }
  }

  /// Makes the values of a cache stale when the data that they depend on becomes out of date.
  ///
  /// ```swift
  /// let registration = reader.freshness.join(pictures) { id in ["pictures of \(id.account)"] }
  /// ```
  ///
  /// A write with one of the tags then also affects the cache. This object does not retain the
  /// cache.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - tags: Returns the tags that the value of a key depends on.
  /// - Returns: The connection, which ends when it is released.
  public func join<Key, Value>(
    _ cache: ResourceCache<Key, Value>, tags: @escaping @Sendable (Key) -> Set<DataTag>
  ) -> Registration {
    let join = cache.takeJoinNumber()
    let number = state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = { [weak cache] changed in
        cache?.invalidate(changed, of: join, tags: tags)
      }
      return state.lastObserver
    }
    return Registration { [weak self] in
      _ = self?.state.withLock { $0.observers.removeValue(forKey: number) }
    }
  }

  private func mark(_ tags: Set<DataTag>, in state: inout State) {
    state.version.number += 1
    for tag in tags { state.invalidations[tag] = state.version }
    guard state.invalidations.count > capacity else { return }
    // Half of the entries are removed at once, so an insertion costs little on average.
    let oldest = state.invalidations.sorted { $0.value < $1.value }.prefix(capacity / 2)
    for (tag, version) in oldest {
      state.invalidations[tag] = nil
      state.floor = max(state.floor, version)
    }
  }

  /// Registers a request that starts now.
  func request() -> Request {
    state.withLock { state in
      state.requests += 1
      return Request(number: state.requests, version: state.version)
    }
  }

  /// Whether no write has changed the data of a response since its request started.
  func isCurrent(_ tags: Set<DataTag>, since request: Request) -> Bool {
    state.withLock { Self.invalidation(of: tags, in: $0) <= request.version }
  }

  /// Whether a response may be stored.
  ///
  /// It may not be stored if the response to a later request is already stored.
  ///
  /// Call it in the transaction that stores the response, so no other response is stored in
  /// between.
  func admit(_ request: Request, for key: String) -> Bool {
    state.withLock { state in
      guard state.stored[key] ?? state.storedFloor < request.number else { return false }
      state.stored[key] = request.number
      if state.stored.count > capacity {
        for (key, number) in state.stored.sorted(by: { $0.value < $1.value }).prefix(capacity / 2) {
          state.stored[key] = nil
          state.storedFloor = number
        }
      }
      return true
    }
  }

  /// The last request whose response was stored for a key.
  func lastStored(_ key: String) -> UInt64 {
    state.withLock { $0.stored[key] ?? $0.storedFloor }
  }

  /// Whether the stored data of a read is up to date.
  func isFresh(_ key: String, _ tags: Set<DataTag>) -> Bool {
    state.withLock { state in
      Self.invalidation(of: tags, in: state) <= state.refreshes[key] ?? Version()
    }
  }

  /// Records that the response to a request was stored.
  func noteRefresh(_ key: String, by request: Request) {
    state.withLock { state in
      state.refreshes[key] = max(request.version, state.refreshes[key] ?? Version())
      guard state.refreshes.count > capacity else { return }
      for (key, _) in state.refreshes.sorted(by: { $0.value < $1.value }).prefix(capacity / 2) {
        state.refreshes[key] = nil
      }
    }
  }

  private static func invalidation(of tags: Set<DataTag>, in state: State) -> Version {
    tags.reduce(state.floor) { max($0, state.invalidations[$1] ?? Version()) }
  }
}
