public import Synchronization

// What a waiter goes through is inlinable, so that it is specialised for the types of the key and
// the value. Unspecialised, a hit took seven times as long.

extension ResourceCache {
  /// What a caller accepts.
  @usableFromInline
  enum Demand: Sendable {
    /// Anything that is not too old.
    case usable
    /// A value that is fresh, or was loaded since.
    case fresh
    /// A value that was asked for after the call.
    case newer
  }

  /// The value of a key: a fresh one as it is, a stale one while it is renewed behind, and a
  /// missing one once it is loaded.
  ///
  /// However many ask for a missing value at the same time, it is loaded once. The load is
  /// cancelled when the last of them is.
  ///
  /// - Throws: What the loader throws, ``ResourceError``, or `CancellationError` when the task is
  ///   cancelled while it waits.
  @inlinable
  public func value(for key: Key) async throws -> Value {
    let now = now()
    let (found, number) = state.withLock { ($0.look(key, now: now), $0.takeNumber()) }
    switch found {
    case .fresh(let value), .stale(let value, mayLoad: false): return value
    case .coolingDown(let error): throw error
    case .stale(let value, mayLoad: true):
      renew(key)
      return value
    case .missing: return try await wait(for: key, .usable, number)
    }
  }

  /// Loads the value of a key now, whatever there is.
  ///
  /// A load that is under way is given up, and those who wait for it wait for the new one: its
  /// answer may be older than what this call is about. A cool-down does not hold it back.
  ///
  /// - Throws: What the loader throws, ``ResourceError``, or `CancellationError` when the task is
  ///   cancelled while it waits.
  @discardableResult
  public func refresh(_ key: Key) async throws -> Value {
    try await wait(for: key, .newer, state.withLock { $0.takeNumber() })
  }

  /// Waits for a load of the key, and begins one if there is none.
  @inlinable
  func wait(for key: Key, _ demand: Demand, _ number: UInt64) async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let hasJoined = state.withLock { state in
          // The cancellation handler may have run before there was anything to remove.
          demand == .usable && !Task.isCancelled
            && state.loads.join(key, continuation, id: number)
        }
        if !hasJoined { ask(key, continuation, number, demand) }
      }
    } onCancel: {
      leave(key, number)
    }
  }

  /// Answers a caller, or has it wait for a load that is begun if need be.
  @usableFromInline
  func ask(
    _ key: Key, _ waiter: CacheState<Key, Value>.Caller, _ number: UInt64, _ demand: Demand
  ) {
    let now = now()
    let aftermath = state.withLock { state in
      var aftermath = CacheState<Key, Value>.Aftermath()
      // The cancellation handler may have run before there was anything to remove.
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

  /// Loads a key behind its stale value, unless it is being loaded.
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
  /// What a caller gets without a load, if anything.
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
