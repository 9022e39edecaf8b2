import CausewayBasics
import Synchronization

extension ResourceCache {
  /// Removes the value of a key, in memory and on disk.
  ///
  /// The value is removed from memory before this call first suspends. A running load of the key is
  /// cancelled and its result is ignored; its waiters get ``ResourceError/removed``.
  ///
  /// - Throws: The disk's error. Even then, the value is removed from memory.
  public func remove(_ key: Key) async throws {
    let aftermath = state.withLock { state in
      var aftermath = CacheState<Key, Value>.Aftermath()
      state.remove(key, &aftermath)
      if source.disk != nil { state.unwritten.beginRemoval(of: key) }
      return aftermath
    }
    aftermath.perform()
    guard let disk = source.disk else { return }
    defer { state.withLock { $0.unwritten.endRemoval(of: key) } }
    try await disk.store.remove(disk.name(key))
  }

  /// Removes all values, in memory and on disk.
  ///
  /// The values are removed from memory before this call first suspends. Running loads are
  /// cancelled, and their results are ignored even if a load does not react to its cancellation.
  ///
  /// - Throws: The disk's error. Even then, the values are removed from memory, but files may be
  ///   left. Call the function again in this case.
  public func removeAll() async throws {
    let aftermath = state.withLock { state in
      var aftermath = CacheState<Key, Value>.Aftermath()
      state.removeAll(&aftermath)
      if source.disk != nil { state.unwritten.beginRemovalOfAll() }
      return aftermath
    }
    aftermath.perform()
    guard let disk = source.disk else { return }
    defer { state.withLock { $0.unwritten.endRemovalOfAll() } }
    try await disk.store.removeAll()
  }

  /// Removes values that are too old, and the least recently used ones until the rest fits.
  ///
  /// Call it when memory is short. The values on disk stay.
  ///
  /// - Parameter bytes: The most memory that the values may still use.
  /// - Complexity: O(removed values).
  public func trim(toBytes bytes: Int = 0) {
    sweep()
    let aftermath = state.withLock { state in
      var aftermath = CacheState<Key, Value>.Aftermath()
      state.trim(toBytes: max(bytes, 0), count: .max, &aftermath)
      return aftermath
    }
    aftermath.perform()
  }

  /// Removes values that are too old.
  ///
  /// It works in parts, so it never holds the lock for long.
  private func sweep() {
    let now = now()
    var isDone = false
    while !isDone {
      let aftermath: CacheState<Key, Value>.Aftermath
      (aftermath, isDone) = state.withLock { state in
        var aftermath = CacheState<Key, Value>.Aftermath()
        let mayBeMore = state.sweep(now: now, limit: 256, &aftermath)
        return (aftermath, !mayBeMore)
      }
      aftermath.perform()
    }
  }

  /// Starts to remove expired values at intervals, until memory has no values.
  ///
  /// The caller holds the lock.
  func startSweep(_ state: inout CacheState<Key, Value>) {
    guard let pause = policy.sweepEvery, state.sweep == nil else { return }
    let sleep = source.surroundings.sleep
    state.sweep = Task { [weak self] in
      while true {
        do { try await sleep(pause) } catch { return }
        guard let self, self.sweepAgain() else { return }
      }
    }
  }

  /// Removes values that are too old; returns whether any values are left.
  private func sweepAgain() -> Bool {
    sweep()
    return state.withLock { state in
      if state.entries.count > 0 { return true }
      state.sweep = nil
      return false
    }
  }
}
