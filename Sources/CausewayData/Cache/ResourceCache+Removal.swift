import Synchronization

extension ResourceCache {
  /// Removes the value of a key, in memory and on disk.
  ///
  /// The value is removed from memory before the call first suspends. A running load of the key is
  /// cancelled and its result dropped; its waiters get ``ResourceError/removed``.
  ///
  /// - Throws: The disk's error. The value is removed from memory then, too.
  public func remove(_ key: Key) async throws {
    let aftermath = state.withLock { state in
      var aftermath = CacheState<Key, Value>.Aftermath()
      state.remove(key, &aftermath)
      if source.disk != nil { state.removals[key, default: 0] += 1 }
      return aftermath
    }
    aftermath.perform()
    guard let disk = source.disk else { return }
    defer {
      state.withLock { state in
        let left = (state.removals[key] ?? 1) - 1
        state.removals[key] = left > 0 ? left : nil
      }
    }
    try await disk.store.remove(disk.name(key))
  }

  /// Removes all values, in memory and on disk.
  ///
  /// The values are removed from memory before the call first suspends. Running loads are cancelled
  /// and their results dropped, even if they ignore their cancellation.
  ///
  /// - Throws: The disk's error. The values are removed from memory then, too, but files may be
  ///   left: call again.
  public func removeAll() async throws {
    let aftermath = state.withLock { state in
      var aftermath = CacheState<Key, Value>.Aftermath()
      state.removeAll(&aftermath)
      if source.disk != nil { state.wipes += 1 }
      return aftermath
    }
    aftermath.perform()
    guard let disk = source.disk else { return }
    defer { state.withLock { $0.wipes -= 1 } }
    try await disk.store.removeAll()
  }

  /// Lets go of values that are too old, and of the least recently used ones until the rest fits.
  ///
  /// For a warning that memory is short. What is on disk stays.
  ///
  /// - Parameter bytes: How much may stay in memory.
  /// - Complexity: O(values that go).
  public func trim(toBytes bytes: Int = 0) {
    sweep()
    let aftermath = state.withLock { state in
      var aftermath = CacheState<Key, Value>.Aftermath()
      state.trim(toBytes: max(bytes, 0), count: .max, &aftermath)
      return aftermath
    }
    aftermath.perform()
  }

  /// Removes values that are too old, in parts, so that the lock is never held for long.
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

  /// Sweeps from time to time while there is anything in memory; called with the lock held.
  func startSweep(_ state: inout CacheState<Key, Value>) {
    guard let pause = policy.sweepEvery, state.sweep == nil else { return }
    let sleep = source.sleep
    state.sweep = Task { [weak self] in
      while true {
        do { try await sleep(pause) } catch { return }
        guard let self, self.sweepAgain() else { return }
      }
    }
  }

  /// Returns whether there is anything left to sweep later.
  private func sweepAgain() -> Bool {
    sweep()
    return state.withLock { state in
      if state.entries.count > 0 { return true }
      state.sweep = nil
      return false
    }
  }
}
