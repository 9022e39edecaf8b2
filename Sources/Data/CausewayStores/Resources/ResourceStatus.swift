import Synchronization

/// The state of a key in a cache.
public struct ResourceStatus<Value: Sendable>: Sendable {
  /// How current the value is.
  public enum Freshness: Sendable, Hashable {
    /// There is no value in memory, or it is too old to be returned.
    case missing
    /// The value is fresh: it is returned without a request for a newer one.
    case fresh
    /// The value is stale: it is returned while a newer one is loaded.
    case stale
  }

  /// The value in memory that the cache returns; `nil` if it is missing.
  public var value: Value?
  /// How current the value is.
  public var freshness: Freshness
  /// Whether the value is being loaded, or its load is waiting for other loads.
  public var isLoading: Bool
  /// The error of the last load; `nil` if that load succeeded or the cache has dropped the error.
  ///
  /// The cache keeps errors if its policy has a `failureCoolDown`.
  public var lastFailure: (any Error)?

  /// Whether the cache returns the value while it loads a newer one.
  public var isStale: Bool { freshness == .stale }
  /// Whether the last load failed and no load is running.
  public var hasFailed: Bool { lastFailure != nil && !isLoading }
}

extension ResourceCache {
  /// Returns the state of a key without loading its value.
  ///
  /// The call does not count as a use of the value. It does not read the disk.
  public func status(of key: Key) -> ResourceStatus<Value> {
    let now = now()
    return state.withLock { state in
      var status = ResourceStatus<Value>(
        value: nil, freshness: .missing, isLoading: state.loads.load(key) != nil,
        lastFailure: state.failures.peek(key)?.error)
      if let entry = state.entries.peek(key), now - entry.loadedAt < entry.freshFor + state.staleFor
      {
        status.value = entry.value
        status.freshness = now - entry.loadedAt < entry.freshFor ? .fresh : .stale
      }
      return status
    }
  }
}
