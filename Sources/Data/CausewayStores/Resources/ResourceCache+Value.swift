public import Synchronization

// The code that a caller runs is inlinable. The compiler then specialises it for the types of the
// key and the value. Without specialisation a hit took seven times as long.

extension ResourceCache {
  /// Which values a caller accepts.
  @usableFromInline
  enum Demand: Sendable {
    /// Any value that is not too old.
    case usable
    /// A value that is fresh, or whose load ended after the call.
    case fresh
    /// A value whose request began after the call.
    case newer
  }

  /// Returns the value of a key, and loads it if necessary.
  ///
  /// A fresh value is returned immediately. A stale value is also returned immediately, and the
  /// cache refreshes it in the background. If there is no value, the call waits for a load. Callers
  /// that wait for the same value share one load. The load is cancelled when its last caller is
  /// cancelled.
  ///
  /// - Throws: The loader's error, ``ResourceError``, or `CancellationError` when the task is
  ///   cancelled while it waits.
  @inlinable
  public func value(for key: Key) async throws -> Value {
    let now = now()
    let (found, number) = state.withLock { ($0.look(key, now: now), $0.takeNumber()) }
    if hasSignalObserver() { signal(found, key) }
    switch found {
    case .fresh(let value), .stale(let value, mayLoad: false):
      await giveWay?()
      return value
    case .coolingDown(let error): throw error
    case .stale(let value, mayLoad: true):
      renew(key)
      await giveWay?()
      return value
    case .missing:
      if readsNow, let value = await readNow(key) { return value }
      return try await wait(for: key, .usable, number)
    }
  }

  /// Loads the value of a key now, even if the cache has one.
  ///
  /// A running load is cancelled, because its response may be older than the reason for this call.
  /// Its waiters get the result of the new load. The pause after a failed load does not delay the
  /// new load.
  ///
  /// - Throws: The loader's error, ``ResourceError``, or `CancellationError` when the task is
  ///   cancelled while it waits.
  @discardableResult
  public func refresh(_ key: Key) async throws -> Value {
    try await wait(for: key, .newer, state.withLock { $0.takeNumber() })
  }

  /// Waits for a load of the key, and starts one if there is none.
  @inlinable
  func wait(for key: Key, _ demand: Demand, _ number: UInt64) async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let hasJoined = state.withLock { state in
          // The cancellation handler may have run before this waiter was added.
          demand == .usable && !Task.isCancelled
            && state.loads.join(key, continuation, id: number)
        }
        if !hasJoined { ask(key, continuation, number, demand) }
      }
    } onCancel: {
      leave(key, number)
    }
  }

  /// Resumes a caller at once, or adds it to a load, which is started if necessary.
  @usableFromInline
  func ask(
    _ key: Key, _ waiter: CacheState<Key, Value>.Caller, _ number: UInt64, _ demand: Demand
  ) {
    let now = now()
    let aftermath = state.withLock { state in
      var aftermath = CacheState<Key, Value>.Aftermath()
      // The cancellation handler may have run before this waiter was added.
      if Task.isCancelled {
        aftermath.waiters = [waiter]
        aftermath.answer = .failure(CancellationError())
        return aftermath
      }
      if state.gate.isShut {
        aftermath.waiters = [waiter]
        aftermath.answer = .failure(ResourceError.sessionEnded)
        return aftermath
      }
      if demand == .newer {
        if let older = state.loads.supersede(key) { aftermath.cancelled = [older] }
      } else {
        if let answer = state.answer(key, demand, now) {
          aftermath.waiters = [waiter]
          aftermath.answer = answer
          return aftermath
        }
        if state.loads.load(key) == nil {
          state.loads.open(key, isKept: false, isForced: false)
        }
      }
      _ = state.loads.join(key, waiter, id: number)
      startLoads(&state)
      return aftermath
    }
    aftermath.perform()
  }

  /// Loads a key in the background, unless it is being loaded.
  @usableFromInline
  func renew(_ key: Key) {
    state.withLock { state in
      guard state.loads.load(key) == nil, !state.gate.isShut else { return }
      state.loads.open(key, isKept: true, isForced: true)
      startLoads(&state)
    }
  }

  @usableFromInline
  func leave(_ key: Key, _ number: UInt64) {
    let aftermath = state.withLock { state in
      var aftermath = CacheState<Key, Value>.Aftermath(answer: .failure(CancellationError()))
      aftermath.take(state.loads.leave(key, id: number))
      return aftermath
    }
    aftermath.perform()
  }
}

extension CacheState {
  /// The result that a caller gets without a load; `nil` if a load is necessary.
  fileprivate mutating func answer(
    _ key: Key, _ demand: ResourceCache<Key, Value>.Demand, _ now: Duration
  ) -> Result<Value, any Error>? {
    switch look(key, now: now) {
    case .fresh(let value): .success(value)
    case .stale(let value, let mayLoad): demand == .usable || !mayLoad ? .success(value) : nil
    case .coolingDown(let error): .failure(error)
    case .missing: nil
    }
  }
}
