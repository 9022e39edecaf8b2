/// The loads of keys with their waiters, and the queue of loads that have not started.
///
/// Each load has a token. A load may set the key's value only if the key still has the load's token
/// when the load ends. If the load was replaced, the key has another token. If the load was
/// removed, the key has no token.
@usableFromInline
struct LoadTable<Key: Hashable, Waiter>: ~Copyable {
  @usableFromInline typealias Token = UInt64

  @usableFromInline
  struct Load {
    let token: Token
    /// Whether the load is a background refresh of a stale value, which continues without a waiter.
    let isKept: Bool
    /// Whether the load must call the loader even if a value is on disk.
    let isForced: Bool
    @usableFromInline var waiters: [UInt64: Waiter] = [:]
    /// `nil` until it starts.
    var task: Task<Void, Never>?
  }

  /// A load that may start.
  struct Turn {
    let key: Key
    let token: Token
    let isForced: Bool
  }

  /// The waiters and tasks of loads that have ended.
  ///
  /// The caller resumes and cancels them outside of any lock.
  struct Ended {
    var waiters: [Waiter] = []
    var tasks: [Task<Void, Never>] = []
  }

  private let limit: Int
  @usableFromInline var loads: [Key: Load] = [:]
  /// Loads with a waiter; these loads start first.
  private var urgent = RecencyList<Token, Key>()
  private var others = RecencyList<Token, Key>()
  private var lastToken: Token = 0
  /// The number of running tasks, including the tasks of replaced loads.
  private(set) var running = 0

  init(limit: Int) {
    self.limit = max(limit, 1)
  }

  var count: Int { loads.count }

  var keys: Dictionary<Key, Load>.Keys { loads.keys }

  func load(_ key: Key) -> Load? { loads[key] }

  /// Adds a load of a key that has no load; the load waits in the queue.
  mutating func open(_ key: Key, isKept: Bool, isForced: Bool) {
    precondition(loads[key] == nil, "The key is being loaded already.")
    lastToken += 1
    loads[key] = Load(token: lastToken, isKept: isKept, isForced: isForced)
    if isKept {
      _ = others.store(key, for: lastToken, bytes: 0)
    } else {
      _ = urgent.store(key, for: lastToken, bytes: 0)
    }
  }

  /// Adds a load that the caller performs at once; returns `nil` if the key has a load.
  ///
  /// The caller must end the load with `finish` or `giveBack`.
  mutating func begin(_ key: Key) -> Token? {
    guard loads[key] == nil else { return nil }
    lastToken += 1
    loads[key] = Load(token: lastToken, isKept: false, isForced: false)
    return lastToken
  }

  /// Moves a load back to the queue if its caller could not perform it and other callers wait.
  mutating func giveBack(_ key: Key, _ token: Token) {
    guard let load = loads[key], load.token == token else { return }
    if load.waiters.isEmpty {
      loads[key] = nil
    } else {
      _ = urgent.store(key, for: token, bytes: 0)
    }
  }

  /// Adds a load that replaces the key's load, if any; the new load takes over the waiters.
  mutating func supersede(_ key: Key) -> Task<Void, Never>? {
    let old = loads.removeValue(forKey: key)
    if let old { withdraw(old.token) }
    // A background refresh remains a background refresh, even if a waiter joins and is cancelled.
    open(key, isKept: old?.isKept ?? false, isForced: true)
    if let old, !old.waiters.isEmpty {
      loads[key]?.waiters = old.waiters
      prioritise(key)
    }
    return old?.task
  }

  /// Adds a waiter to the load of a key; returns `false` if the key has no load.
  @inlinable
  mutating func join(_ key: Key, _ waiter: Waiter, id: UInt64) -> Bool {
    guard let index = loads.index(forKey: key) else { return false }
    if loads.values[index].waiters.isEmpty { prioritise(key) }
    loads.values[index].waiters[id] = waiter
    return true
  }

  /// Moves the load of a key ahead of the loads without a waiter.
  @usableFromInline
  mutating func prioritise(_ key: Key) {
    if let token = loads[key]?.token, others.remove(token) != nil {
      _ = urgent.store(key, for: token, bytes: 0)
    }
  }

  /// Removes a waiter; also removes its load, unless another waiter or a background refresh needs
  /// it.
  mutating func leave(_ key: Key, id: UInt64) -> Ended {
    guard let waiter = loads[key]?.waiters.removeValue(forKey: id) else { return Ended() }
    var ended = Ended(waiters: [waiter])
    if let load = loads[key], load.waiters.isEmpty, !load.isKept {
      loads[key] = nil
      withdraw(load.token)
      if let task = load.task { ended.tasks = [task] }
    }
    return ended
  }

  /// Returns the next load that may start.
  ///
  /// The caller attaches its task, and reports its end.
  mutating func next() -> Turn? {
    guard running < limit else { return nil }
    var first = urgent.removeOldest()
    if first == nil { first = others.removeOldest() }
    guard let (token, key) = first, let load = loads[key] else { return nil }
    running += 1
    return Turn(key: key, token: token, isForced: load.isForced)
  }

  mutating func attach(_ task: Task<Void, Never>, to turn: Turn) {
    loads[turn.key]?.task = task
  }

  /// Ends a load and returns its waiters; `nil` if it is no longer the load of the key.
  mutating func finish(_ key: Key, _ token: Token) -> [Waiter]? {
    guard let load = loads[key], load.token == token else { return nil }
    loads[key] = nil
    return Array(load.waiters.values)
  }

  /// Records that a task has ended, even if its load was replaced or removed.
  mutating func taskEnded() {
    running -= 1
  }

  /// Removes the load of a key.
  mutating func remove(_ key: Key) -> Ended {
    guard let load = loads.removeValue(forKey: key) else { return Ended() }
    withdraw(load.token)
    return Ended(waiters: Array(load.waiters.values), tasks: load.task.map { [$0] } ?? [])
  }

  /// Removes all loads.
  mutating func removeAll() -> Ended {
    defer {
      loads = [:]
      urgent = RecencyList()
      others = RecencyList()
    }
    return Ended(
      waiters: loads.values.flatMap(\.waiters.values), tasks: loads.values.compactMap(\.task))
  }

  private mutating func withdraw(_ token: Token) {
    if urgent.remove(token) == nil { _ = others.remove(token) }
  }
}

extension LoadTable.Load: Sendable where Waiter: Sendable {}
