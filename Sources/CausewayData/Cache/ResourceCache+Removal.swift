import Synchronization

extension ResourceCache {
  /// Forgets the value of a key, in memory and on disk.
  ///
  /// In memory it is gone before the call waits for anything. A load of it that is under way is
  /// given up, and nothing of it comes back; who waits for it gets ``ResourceError/removed``.
  ///
  /// - Throws: What the disk throws; in memory the value is gone all the same.
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

  /// Forgets everything, in memory and on disk.
  ///
  /// In memory all is gone before the call waits for anything. Loads that are under way are given
  /// up, and nothing of them comes back, even if they ignore their cancellation.
  ///
  /// - Throws: What the disk throws; in memory everything is gone all the same. If it was for
  ///   privacy, call again: files may be left.
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
