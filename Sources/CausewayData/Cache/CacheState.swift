/// What a cache knows and what it is about to know.
///
/// Nothing here waits or calls out: what has to be done outside of the lock is returned.
@usableFromInline
struct CacheState<Key: Hashable & Sendable, Value: Sendable>: ~Copyable {
  @usableFromInline typealias Caller = CheckedContinuation<Value, any Error>
  typealias Token = LoadTable<Key, Caller>.Token

  @usableFromInline
  struct Entry: Sendable {
    /// When the loader gave the value, on the cache's clock.
    @usableFromInline let loadedAt: Duration
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
    /// Still good to show. Whether a newer one may be asked for depends on the last failure.
    case stale(Value, mayLoad: Bool)
    case coolingDown(ResourceError)
    case missing
  }

  /// What has to be done once the lock is released: all of it runs code of others.
  @usableFromInline
  struct Aftermath: Sendable {
    var waiters: [Caller] = []
    var answer: Result<Value, any Error> = .failure(ResourceError.removed)
    var cancelled: [Task<Void, Never>] = []
    /// Kept until here, because letting go of a value may call back into the cache.
    var dropped: [Value] = []
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
  /// How old a value may be to be returned without asking for a newer one.
  @usableFromInline let freshFor: Duration
  /// How old a value may be to be returned at all.
  @usableFromInline let usableFor: Duration
  @usableFromInline var entries = RecencyList<Key, Entry>()
  @usableFromInline var failures = RecencyList<Key, Failure>()
  @usableFromInline var loads: LoadTable<Key, Caller>
  /// The load whose value of a key may go to the disk.
  ///
  /// Removing the key takes it out.
  var unsaved: [Key: Token] = [:]
  /// How many removals of a key have not reached the disk.
  ///
  /// Until they have, the key is not read there.
  var removals: [Key: Int] = [:]
  /// How many removals of everything have not reached the disk.
  var wipes = 0
  var mailboxes: [UInt64: UpdateMailbox<Key, Value>] = [:]
  /// Shut from the end of a session to the next one.
  ///
  /// Nothing is in memory then and nothing is being loaded, so that only a new load looks at it.
  var gate = SessionGate()
  @usableFromInline var lastNumber: UInt64 = 0
  var sweep: Task<Void, Never>?

  init(policy: ResourcePolicy) {
    self.policy = policy
    freshFor = policy.freshFor
    usableFor = policy.usableFor
    loads = LoadTable(limit: policy.parallelLoads)
  }

  /// A number that no waiter and no mailbox has.
  @inlinable
  mutating func takeNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  /// What there is for a key; a value that can be returned becomes the most recent one.
  @inlinable
  mutating func look(_ key: Key, now: Duration) -> Found {
    if let node = entries.find(key) {
      let age = now - node.pointee.element.loadedAt
      if age < usableFor {
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

  /// Stores a value and lets go of the least recent ones beyond the limits.
  ///
  /// A value that does not fit at all takes no other one's room.
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

  /// Lets go of the least recent values until the rest fits.
  mutating func trim(toBytes bytes: Int, count: Int, _ aftermath: inout Aftermath) {
    while entries.bytes > bytes || entries.count > count {
      guard let oldest = entries.removeOldest() else { return }
      aftermath.dropped.append(oldest.element.value)
    }
  }

  /// Lets go of values that are too old to be returned, at most a number of them; returns whether
  /// there may be more.
  ///
  /// It stops at the first value that is not too old. Those behind it were used later, and so they
  /// are found at the latest when they have been too old for as long as they were good.
  mutating func sweep(now: Duration, limit: Int, _ aftermath: inout Aftermath) -> Bool {
    for _ in 0..<limit {
      guard let oldest = entries.oldestElement, now - oldest.loadedAt >= policy.usableFor,
        let removed = entries.removeOldest()
      else { return false }
      aftermath.dropped.append(removed.element.value)
    }
    return true
  }

  /// Remembers a failure, and forgets the oldest one beyond the limit.
  mutating func remember(_ failure: Failure, of key: Key) {
    guard policy.failureCoolDown > .zero else { return }
    _ = failures.store(failure, for: key, bytes: 0)
    if failures.count > policy.failureCount { _ = failures.removeOldest() }
  }

  /// Forgets all about a key; a load of it comes to nothing.
  mutating func remove(_ key: Key, _ aftermath: inout Aftermath) {
    if let entry = entries.remove(key) { aftermath.dropped.append(entry.value) }
    _ = failures.remove(key)
    unsaved[key] = nil
    aftermath.take(loads.remove(key))
  }

  /// Forgets everything; no load that has begun brings anything back.
  mutating func removeAll(_ aftermath: inout Aftermath) {
    trim(toBytes: -1, count: -1, &aftermath)
    entries = RecencyList()
    failures = RecencyList()
    unsaved = [:]
    for mailbox in mailboxes.values { aftermath.dropped += mailbox.clear() }
    aftermath.take(loads.removeAll())
  }

  /// Tells the observers of a value that took the place of another one.
  mutating func post(_ key: Key, _ value: Value, _ aftermath: inout Aftermath) {
    for mailbox in mailboxes.values {
      let posted = mailbox.post(key, value)
      aftermath.dropped += posted.dropped
      aftermath.awakened += posted.awakened
    }
  }
}
