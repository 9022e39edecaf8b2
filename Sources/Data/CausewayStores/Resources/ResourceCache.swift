package import CausewayBasics
public import Synchronization

/// Loads values once for all callers, keeps them in memory, and refreshes them in the background.
///
/// ```swift
/// let pictures = ResourceCache<PictureID, [UInt8]> { id, etag in
///   try await server.picture(id, unlessMatching: etag)
/// }
/// let picture = pictures.cached(id)              // at once, or nil
/// let loaded = try await pictures.value(for: id)  // loads what is missing
/// ```
///
/// The key is the full identity of a value. It must contain everything that distinguishes two
/// values, such as the account, the size or the version. The cache hashes, compares and releases
/// keys while it holds its lock, so `hash(into:)`, `==` and `deinit` of a key must not use the cache.
///
/// Isolation: none. Any thread may use the cache, and the cache never waits for the main actor.
public final class ResourceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Loads the value of a key; the second argument is the validator of the current value.
  public typealias Loader =
    @concurrent @Sendable (_ key: Key, _ validator: String?) async throws -> ResourceAnswer<Value>

  /// How long values are valid, and how much memory the cache may use.
  public let policy: ResourcePolicy

  let source: ResourceSource<Key, Value>
  @usableFromInline let now: @Sendable () -> Duration
  /// In a simulation, lets other tasks run before a value in memory is returned.
  @usableFromInline let giveWay: (@Sendable () async -> Void)?
  /// Whether the disk can return a value without waiting.
  @usableFromInline let readsNow: Bool
  private let size: @Sendable (Value) -> Int
  private let executor: (any TaskExecutor)?
  @usableFromInline let state: Mutex<CacheState<Key, Value>>

  package init(
    policy: ResourcePolicy,
    disk: ResourceDisk<Key, Value>?,
    size: @escaping @Sendable (Value) -> Int,
    surroundings: Surroundings,
    executor: (any TaskExecutor)?,
    isTransient: @escaping @Sendable (any Error) -> Bool,
    reportDiskFailure: @escaping @Sendable (Key, any Error) -> Void,
    loader: @escaping Loader
  ) {
    self.policy = policy
    self.size = size
    self.executor = executor
    now = surroundings.now
    giveWay = surroundings.giveWay
    source = ResourceSource(
      loader: loader, policy: policy, disk: disk, isTransient: isTransient,
      surroundings: surroundings, reportDiskFailure: reportDiskFailure)
    readsNow = disk?.store.readsNow == true
    state = Mutex(CacheState(policy: policy))
  }

  deinit {
    var aftermath = CacheState<Key, Value>.Aftermath()
    let (mailboxes, sweep) = state.withLock { state in
      // There are no waiters here, because a caller that waits for a load holds the cache.
      aftermath.take(state.loads.removeAll())
      return (Array(state.mailboxes.values), state.sweep)
    }
    aftermath.perform()
    sweep?.cancel()
    for mailbox in mailboxes { mailbox.end() }
  }

  /// The value of a key, fresh or stale, if it is in memory and not too old.
  ///
  /// A view can call this while it draws, because the call waits only for a lock that is held for a
  /// short time. It does not load a value; ``value(for:)`` does.
  @inlinable
  public func cached(_ key: Key) -> Value? {
    let now = now()
    return state.withLock { state in
      guard let node = state.entries.find(key),
        now - node.pointee.element.loadedAt < node.pointee.element.freshFor + state.staleFor
      else { return nil }
      state.entries.use(node)
      return node.pointee.element.value
    }
  }

  /// The memory that the values use, in bytes, including the overhead of the cache.
  public var memoryBytes: Int { state.withLock { $0.entries.bytes } }

  /// The number of values in memory.
  public var memoryCount: Int { state.withLock { $0.entries.count } }

  /// Yields the values that loads change after this call, with their keys, to one consumer.
  ///
  /// - It is registered when this returns, so it misses no later change.
  /// - It yields states, not events: for each key, only the latest value waits for a slow consumer.
  ///   The number of waiting keys is at most the cache's limit of values in memory. Above it, the
  ///   keys that changed first are dropped.
  /// - It ends when the consumer is cancelled or the cache is released.
  public func updates() -> some AsyncSequence<(key: Key, value: Value), Never> & Sendable {
    let mailbox = UpdateMailbox<Key, Value>(limit: policy.memoryCount)
    let number = state.withLock { $0.add(mailbox) }
    let subscription = UpdateSubscription(mailbox) { [weak self] in
      self?.state.withLock { $0.removeMailbox(number) }
    }
    return ResourceUpdates<Key, Value>(subscription: subscription)
  }

  /// Starts the loads that may run now; the caller holds the lock.
  func startLoads(_ state: inout CacheState<Key, Value>) {
    while let turn = state.loads.next() {
      let load = ResourceLoad(
        key: turn.key, token: turn.token, source: source, known: state.entries.peek(turn.key),
        skipsDisk: turn.isForced || !state.unwritten.mayRead(turn.key))
      let task = Task(executorPreference: executor) { [weak self] in
        let outcome = await load.outcome()
        await self?.end(load, outcome)
      }
      state.loads.attach(task, to: turn)
    }
  }

  private func end(_ load: ResourceLoad<Key, Value>, _ outcome: ResourceLoad<Key, Value>.Outcome)
    async
  {
    // The date is taken before the value is stored, so each later invalidation has a later date.
    let loadedAt = source.surroundings.wallClock.milliseconds()
    let isAccepted = settle(load, outcome)
    if isAccepted, case .loaded(let value, let validator, let freshFor, let mayStore, _) = outcome,
      source.disk != nil
    {
      await load.write(
        value, validator: validator, freshFor: freshFor, mayStore: mayStore, loadedAt: loadedAt
      ) { [self] in
        state.withLock { $0.unwritten.mayWrite(load.key, load.token) }
      }
    }
    state.withLock { state in
      state.unwritten.endWriting(load.key, load.token)
      state.loads.taskEnded()
      startLoads(&state)
    }
  }

  /// Returns the value of a key from the disk if that needs no waiting, otherwise `nil`.
  ///
  /// Isolation: none. It runs off the caller's actor.
  @concurrent @usableFromInline
  func readNow(_ key: Key) async -> Value? {
    guard let disk = source.disk else { return nil }
    let load: ResourceLoad<Key, Value>? = state.withLock { state in
      guard !state.gate.isShut, state.unwritten.mayRead(key),
        !state.unwritten.hasValue(of: key), state.entries.find(key) == nil,
        let token = state.loads.begin(key)
      else { return nil }
      return ResourceLoad(key: key, token: token, source: source, known: nil, skipsDisk: false)
    }
    guard let load else { return nil }
    if let stored = disk.store.readNow(disk.name(key)), let outcome = load.outcome(of: stored),
      case .found(let value, _, _, _) = outcome
    {
      guard settle(load, outcome) else { return nil }
      // A stale value is refreshed.
      state.withLock { startLoads(&$0) }
      return value
    }
    state.withLock { state in
      state.loads.giveBack(key, load.token)
      startLoads(&state)
    }
    return nil
  }

  /// Returns the outcome, and the version of the invalidations with which it was compared.
  ///
  /// A value from the disk becomes stale if its key was invalidated. If the version has changed
  /// when the caller stores the outcome, there was another invalidation.
  private func invalidated(
    _ outcome: ResourceLoad<Key, Value>.Outcome, of key: Key, _ now: Duration
  ) -> (ResourceLoad<Key, Value>.Outcome, version: Int) {
    guard case .found(let value, let validator, let freshFor, let age) = outcome else {
      return (outcome, 0)
    }
    let invalidations = state.withLock { $0.invalidations }
    guard invalidations.isInvalidated(key, loadedAt: now - age) else {
      return (outcome, invalidations.version)
    }
    return (
      .found(
        value, validator: validator, freshFor: freshFor,
        age: max(age, policy.freshFor(freshFor))),
      invalidations.version
    )
  }

  /// Stores the result of a load; returns `false` if it is no longer the load of the key.
  private func settle(
    _ load: ResourceLoad<Key, Value>, _ outcome: ResourceLoad<Key, Value>.Outcome
  ) -> Bool {
    let key = load.key
    let now = now()
    let (outcome, version) = invalidated(outcome, of: key, now)
    var bytes = 0
    switch outcome {
    case .loaded(let value, _, _, _, _), .found(let value, _, _, _): bytes = size(value)
    case .failed: break
    }
    let aftermath: CacheState<Key, Value>.Aftermath? = state.withLock { [bytes] state in
      guard let waiters = state.loads.finish(key, load.token) else { return nil }
      var aftermath = CacheState<Key, Value>.Aftermath(waiters: waiters)
      switch outcome {
      case .loaded(let value, let validator, let freshFor, _, let isChange):
        state.forgetFailure(of: key, &aftermath)
        state.store(
          .init(
            loadedAt: now, freshFor: policy.freshFor(freshFor), value: value,
            validator: validator),
          for: key, bytes: bytes, &aftermath)
        if isChange { state.post(key, value, &aftermath) }
        if source.disk != nil { state.unwritten.beginWriting(key, load.token) }
        aftermath.answer = .success(value)
        startSweep(&state)
      case .found(let value, let validator, let server, var age):
        let freshFor = policy.freshFor(server)
        // An invalidation has happened since the check above, perhaps for another key.
        if state.invalidations.version != version { age = max(age, freshFor) }
        state.store(
          .init(loadedAt: now - age, freshFor: freshFor, value: value, validator: validator),
          for: key, bytes: bytes, &aftermath)
        if age >= freshFor { state.loads.open(key, isKept: true, isForced: true) }
        aftermath.answer = .success(value)
        startSweep(&state)
      case .failed(let error):
        if !(error is CancellationError) {
          state.remember(.init(failedAt: now, error: error), of: key, &aftermath)
        }
        aftermath.answer = .failure(error)
      }
      return aftermath
    }
    aftermath?.perform()
    return aftermath != nil
  }
}
