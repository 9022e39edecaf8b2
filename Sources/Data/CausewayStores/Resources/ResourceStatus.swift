import Synchronization

/// The state of a key in a cache.
package struct ResourceStatus<Value: Sendable>: Sendable {
  /// The value in memory that the cache returns; `nil` if there is none, or if it is too old.
  package var value: Value?
  /// Whether the cache returns the value while it loads a newer one.
  package var isStale: Bool
  /// Whether the value is being loaded, or its load is waiting for other loads.
  package var isLoading: Bool
  /// The error of the last load; `nil` if that load succeeded or the cache has dropped the error.
  ///
  /// The cache keeps errors if its policy has a `failureCoolDown`.
  package var lastFailure: (any Error)?

  /// Whether the cache returns the value without a request for a newer one.
  package var isFresh: Bool { value != nil && !isStale }
  /// Whether the last load failed and no load is running.
  package var hasFailed: Bool { lastFailure != nil && !isLoading }
}

extension ResourceCache {
  /// Returns the state of a key without loading its value.
  ///
  /// The call does not count as a use of the value. It does not read the disk.
  package func status(of key: Key) -> ResourceStatus<Value> {
    let now = now()
    return state.withLock { state in
      var status = ResourceStatus<Value>(
        value: nil, isStale: false, isLoading: state.loads.load(key) != nil,
        lastFailure: state.failures.peek(key)?.error)
      if let entry = state.entries.peek(key), now - entry.loadedAt < entry.freshFor + state.staleFor
      {
        status.value = entry.value
        status.isStale = now - entry.loadedAt >= entry.freshFor
      }
      return status
    }
  }
}
