import CausewayBasics

/// The state of a cache: values, failures and loads.
///
/// No function waits or calls code from outside the cache. Functions return the work that the
/// caller does after it has released the lock.
@usableFromInline
struct CacheState<Key: Hashable & Sendable, Value: Sendable>: ~Copyable {
  @usableFromInline typealias Caller = CheckedContinuation<Value, any Error>
  typealias Token = LoadTable<Key, Caller>.Token

  @usableFromInline
  struct Entry: Sendable {
    /// The time at which the loader returned the value, on the cache's clock.
    ///
    /// An invalidation sets this time back, so that the value is stale.
    @usableFromInline var loadedAt: Duration
    /// The age below which the value is returned without a new load.
    @usableFromInline let freshFor: Duration
    @usableFromInline let value: Value
    let validator: String?
  }

  @usableFromInline
  struct Failure: Sendable {
    let failedAt: Duration
    let error: any Error
  }

  @usableFromInline
  enum Found: Sendable {
    case fresh(Value)
    /// The value may be returned.
    ///
    /// `mayLoad` is false during the pause after the key's last failed load.
    case stale(Value, mayLoad: Bool)
    case coolingDown(ResourceError)
    case missing
  }

  /// The work to do after the lock is released, because it runs code from outside the cache.
  @usableFromInline
  struct Aftermath: Sendable {
    var waiters: [Caller] = []
    var answer: Result<Value, any Error> = .failure(ResourceError.removed)
    var cancelled: [Task<Void, Never>] = []
    /// Removed values.
    ///
    /// They are released after the lock, because their deinitialisers may call the cache.
    var dropped: [Value] = []
    /// Removed errors and closures, which are released after the lock for the same reason.
    var released: [any Sendable] = []
    var awakened: [Waiter<Void>] = []

    @usableFromInline
    func perform() {
      for waiter in waiters { waiter.resume(with: answer) }
      for task in cancelled { task.cancel() }
      for consumer in awakened { consumer.resume() }
    }

    mutating func take(_ ended: LoadTable<Key, Caller>.Ended) {
      waiters += ended.waiters
      cancelled += ended.tasks
    }
  }

  let policy: ResourcePolicy
  /// The time after `freshFor` for which a value may still be returned.
  @usableFromInline let staleFor: Duration
  @usableFromInline var entries = RecencyList<Key, Entry>()
  @usableFromInline var failures = RecencyList<Key, Failure>()
  @usableFromInline var loads: LoadTable<Key, Caller>
  var unwritten = UnwrittenChanges<Key, Token>()
  /// The invalidations, which also apply to values that are only on disk.
  var invalidations = ResourceInvalidations<Key>()
  private(set) var mailboxes: [UInt64: UpdateMailbox<Key, Value>] = [:]
  /// The gate is shut from the end of a session to the start of the next one.
  ///
  /// While the gate is shut, the memory is empty and no load runs. Therefore only new loads have to
  /// check the gate.
  var gate = SessionGate()
  @usableFromInline var lastNumber: UInt64 = 0
  var sweep: Task<Void, Never>?

  init(policy: ResourcePolicy) {
    self.policy = policy
    staleFor = policy.staleFor
    loads = LoadTable(limit: policy.parallelLoads)
  }

  /// Returns a number that no waiter or mailbox has.
  @inlinable
  mutating func takeNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  /// Finds the value of a key, and marks it as the most recently used if it can be returned.
  @inlinable
  mutating func look(_ key: Key, now: Duration) -> Found {
    if let node = entries.find(key) {
      let age = now - node.pointee.element.loadedAt
      let freshFor = node.pointee.element.freshFor
      if age < freshFor + staleFor {
        entries.use(node)
        let value = node.pointee.element.value
        if age < freshFor { return .fresh(value) }
        return .stale(value, mayLoad: failures.count == 0 || remainingCoolDown(key, now) == nil)
      }
    }
    if failures.count > 0, let error = remainingCoolDown(key, now) { return .coolingDown(error) }
    return .missing
  }

  @usableFromInline
  func remainingCoolDown(_ key: Key, _ now: Duration) -> ResourceError? {
    guard let failure = failures.peek(key) else { return nil }
    let remaining = policy.failureCoolDown - (now - failure.failedAt)
    guard remaining > .zero else { return nil }
    return .coolingDown(remaining: remaining, lastFailure: failure.error)
  }

  /// Stores a value and removes the least recent values beyond the limits.
  ///
  /// A value that is larger than the whole limit is not stored and removes no other values.
  mutating func store(_ entry: Entry, for key: Key, bytes: Int, _ aftermath: inout Aftermath) {
    guard bytes + RecencyList<Key, Entry>.overhead <= policy.memoryBytes else {
      if let replaced = entries.remove(key) { aftermath.dropped.append(replaced.value) }
      return
    }
    if let replaced = entries.store(entry, for: key, bytes: bytes) {
      aftermath.dropped.append(replaced.value)
    }
    trim(toBytes: policy.memoryBytes, count: policy.memoryCount, &aftermath)
  }

  /// Removes the least recent values until the rest fits.
  mutating func trim(toBytes bytes: Int, count: Int, _ aftermath: inout Aftermath) {
    while entries.bytes > bytes || entries.count > count {
      guard let oldest = entries.removeOldest() else { return }
      aftermath.dropped.append(oldest.element.value)
    }
  }

  /// Removes values that are too old, up to a limit; returns whether there may be more.
  ///
  /// The values are in the order of their last use. The function stops at the first value that is
  /// not too old. A later value that is already too old is removed when the values before it are
  /// too old.
  mutating func sweep(now: Duration, limit: Int, _ aftermath: inout Aftermath) -> Bool {
    for _ in 0..<limit {
      guard let oldest = entries.oldestElement,
        now - oldest.loadedAt >= oldest.freshFor + staleFor,
        let removed = entries.removeOldest()
      else { return false }
      aftermath.dropped.append(removed.element.value)
    }
    return true
  }

  /// Stores a failure, and removes the oldest failure beyond the limit.
  mutating func remember(_ failure: Failure, of key: Key, _ aftermath: inout Aftermath) {
    guard policy.failureCoolDown > .zero else { return }
    if let replaced = failures.store(failure, for: key, bytes: 0) {
      aftermath.released.append(replaced.error)
    }
    if failures.count > policy.failureCount, let oldest = failures.removeOldest() {
      aftermath.released.append(oldest.element.error)
    }
  }

  /// Removes the failure of a key.
  mutating func forgetFailure(of key: Key, _ aftermath: inout Aftermath) {
    if let failure = failures.remove(key) { aftermath.released.append(failure.error) }
  }

  /// Removes the state of a key; the result of a running load is ignored.
  mutating func remove(_ key: Key, _ aftermath: inout Aftermath) {
    if let entry = entries.remove(key) { aftermath.dropped.append(entry.value) }
    forgetFailure(of: key, &aftermath)
    unwritten.cancelWriting(key)
    aftermath.take(loads.remove(key))
  }

  /// Removes the state of all keys; the results of running loads are ignored.
  mutating func removeAll(_ aftermath: inout Aftermath) {
    trim(toBytes: -1, count: -1, &aftermath)
    while let oldest = failures.removeOldest() { aftermath.released.append(oldest.element.error) }
    entries = RecencyList()
    failures = RecencyList()
    unwritten.cancelWriting(nil)
    for mailbox in mailboxes.values { aftermath.dropped += mailbox.clear() }
    aftermath.take(loads.removeAll())
  }

  /// Adds the mailbox of an observer, and returns its number.
  mutating func add(_ mailbox: UpdateMailbox<Key, Value>) -> UInt64 {
    let number = takeNumber()
    mailboxes[number] = mailbox
    return number
  }

  mutating func removeMailbox(_ number: UInt64) { mailboxes[number] = nil }

  /// Adds a changed value to the mailboxes of the observers.
  mutating func post(_ key: Key, _ value: Value, _ aftermath: inout Aftermath) {
    for mailbox in mailboxes.values {
      let posted = mailbox.post(key, value)
      aftermath.dropped += posted.dropped
      aftermath.awakened += posted.awakened
    }
  }
}
