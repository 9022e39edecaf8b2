/// The decisions of an outbox: what is sent when, and what becomes of it.
///
/// A value without tasks, clocks or storage. Events go in, commands come out, and the outbox carries
/// them out. Times are offsets on a clock that is never set back.
struct OutboxMachine: Sendable {
  /// As much of an entry as decisions need; payloads stay on disk.
  struct Item: Sendable, Equatable {
    var sequence: Int64
    var collection: String
    var scope: SyncScope
    var attempts: Int = 0
    /// Not sent before this time.
    var due: Duration = .zero
  }

  /// What became of a send, before it is stored.
  enum Answer: Sendable, Equatable {
    case receipt(MutationReceipt)
    case failure(RemoteFailure)
  }

  enum Event: Sendable, Equatable {
    /// Entries that are stored, in order; those known already are passed over.
    case loaded([Item])
    /// What is stored could not be read.
    case notLoaded(random: Double)
    /// From now on there is somebody to send a collection's entries.
    case registered(String)
    /// A send has ended; `random` spreads the wait after a failure.
    case answered(Int64, Answer, random: Double)
    /// What a `store` command asked for has been committed.
    case stored(Int64)
    /// What a `store` command asked for could not be committed.
    case notStored(Int64, random: Double)
    /// The entry is not there any more.
    case gone(Int64)
    /// The time that a `wake` command named has come.
    case woken
    /// The connection may be back: waits are cut short.
    case retryRequested
    /// The session has ended.
    case reset
  }

  /// What is to be written down about an entry.
  enum Change: Sendable, Equatable {
    case acknowledged(MutationReceipt)
    case retry(attempts: Int, after: Duration, RemoteFailure)
    case rejected(attempts: Int, RemoteFailure)
  }

  enum Command: Sendable, Equatable {
    case send(Int64)
    case store(Int64, Change)
    /// Read what is stored once more.
    case load
    /// Call again with `woken` at this time; replaces an earlier one, `nil` takes it back.
    case wake(at: Duration?)
  }

  private struct Lane: Hashable {
    var collection: String
    var scope: SyncScope
  }

  private enum Activity {
    case sending
    case storing(Change)
  }

  let table: RetryTable
  let parallelScopes: Int
  /// Apart by collection, so that one which nobody sends is passed over at no cost.
  private var lanes: [Lane: ArraySlice<Item>] = [:]
  /// At most one for each scope: the first of one of its lanes.
  private var active: [Int64: (item: Item, activity: Activity)] = [:]
  private var busy: Set<SyncScope> = []
  private var collections: Set<String> = []
  private var last: Int64 = 0
  private var wake: Duration?
  /// Stored by this process and never sent: what may still be undone.
  private var untouched: Set<Int64> = []
  private var held: Set<Int64> = []
  /// Stored by this process and not loaded yet.
  private var told: Set<Int64> = []
  private var loaded = 0
  private var failedLoads = 0
  private var loadDue: Duration?

  init(table: RetryTable, parallelScopes: Int) {
    self.table = table
    self.parallelScopes = parallelScopes
  }

  /// The number of entries that are not acknowledged, also of those that only their caller has
  /// told of.
  var count: Int { loaded + told.count }

  /// The sequence number after which entries have not been loaded.
  var loadedUpTo: Int64 { last }

  /// Takes in an event and returns what is to be done.
  ///
  /// Complexity: O(scopes × collections), and O(entries) for `loaded`, `gone` and `retryRequested`.
  mutating func handle(_ event: Event, now: Duration) -> [Command] {
    var commands: [Command] = []
    switch event {
    case .loaded(let items):
      (failedLoads, loadDue) = (0, nil)
      load(items)
    case .notLoaded(let random):
      failedLoads += 1
      loadDue = now + table.backoff.delay(afterAttempts: failedLoads, random: random)
    case .registered(let collection): collections.insert(collection)
    case .answered(let sequence, let answer, let random):
      guard let item = active[sequence]?.item else { return [] }
      let change = decide(answer, item, random)
      active[sequence]?.activity = .storing(change)
      commands.append(.store(sequence, change))
    case .stored(let sequence): finish(sequence, now)
    case .notStored(let sequence, let random): postpone(sequence, now, random)
    case .gone(let sequence): remove(sequence)
    case .woken: wake = nil
    case .retryRequested: retryNow(now)
    case .reset: reset()
    }
    return commands + plan(now)
  }

  /// Notes that the caller's own entry is stored, and may be undone until it is sent.
  mutating func noteOwn(_ sequence: Int64) {
    guard sequence > last else { return }
    untouched.insert(sequence)
    told.insert(sequence)
  }

  /// Keeps an entry from being sent, if it never was and never may have been.
  ///
  /// Call `handle` with `gone`, or `release`, afterwards.
  mutating func hold(_ sequence: Int64) -> Bool {
    guard untouched.contains(sequence) else { return false }
    held.insert(sequence)
    return true
  }

  /// Lets an entry that was held go its way.
  mutating func release(_ sequence: Int64, now: Duration) -> [Command] {
    held.remove(sequence)
    return plan(now)
  }
}

extension OutboxMachine {
  private mutating func load(_ items: [Item]) {
    for item in items where item.sequence > last {
      last = item.sequence
      lanes[lane(of: item), default: []].append(item)
      loaded += 1
    }
    // Commits are seen in their order: what is not after the last one was seen, or is gone.
    told = told.filter { $0 > last }
  }

  private func decide(_ answer: Answer, _ item: Item, _ random: Double) -> Change {
    switch answer {
    case .receipt(let receipt): return .acknowledged(receipt)
    case .failure(let failure):
      let attempts = item.attempts + 1
      switch table.verdict(on: failure, attempts: attempts, random: random) {
      case .reject: return .rejected(attempts: attempts, failure)
      case .retry(let delay): return .retry(attempts: attempts, after: delay, failure)
      }
    }
  }

  private mutating func finish(_ sequence: Int64, _ now: Duration) {
    guard case (let item, .storing(let change))? = active.removeValue(forKey: sequence) else {
      return
    }
    busy.remove(item.scope)
    switch change {
    case .acknowledged, .rejected: dropFirst(item)
    case .retry(let attempts, let delay, _):
      updateFirst(item, attempts: attempts, due: now + delay)
    }
  }

  /// The server's answer is lost on us; the entry is sent again, under the same key.
  private mutating func postpone(_ sequence: Int64, _ now: Duration, _ random: Double) {
    guard let item = active.removeValue(forKey: sequence)?.item else { return }
    busy.remove(item.scope)
    let delay = table.backoff.delay(afterAttempts: item.attempts + 1, random: random)
    // Not counted as an attempt: the server is not to blame, so that no limit is used up.
    updateFirst(item, attempts: item.attempts, due: now + delay)
  }

  private mutating func remove(_ sequence: Int64) {
    untouched.remove(sequence)
    held.remove(sequence)
    told.remove(sequence)
    if let item = active.removeValue(forKey: sequence)?.item { busy.remove(item.scope) }
    for (key, lane) in lanes {
      guard let index = lane.firstIndex(where: { $0.sequence == sequence }) else { continue }
      lanes[key]?.remove(at: index)
      if lane.count == 1 { lanes[key] = nil }
      loaded -= 1
      return
    }
  }

  private mutating func retryNow(_ now: Duration) {
    for (sequence, (item, activity)) in active {
      // It waits already, although that is only just being stored.
      guard case .storing(.retry(let attempts, _, let failure)) = activity else { continue }
      active[sequence] = (item, .storing(.retry(attempts: attempts, after: .zero, failure)))
    }
    for first in lanes.values.compactMap(\.first) where first.due > now {
      if active[first.sequence] != nil { continue }
      updateFirst(first, attempts: first.attempts, due: now)
    }
  }

  private mutating func reset() {
    lanes = [:]
    active = [:]
    busy = []
    untouched = []
    held = []
    told = []
    last = 0
    loaded = 0
    (failedLoads, loadDue) = (0, nil)
  }

  private func lane(of item: Item) -> Lane {
    Lane(collection: item.collection, scope: item.scope)
  }

  private mutating func dropFirst(_ item: Item) {
    let key = lane(of: item)
    guard let lane = lanes[key], lane.first?.sequence == item.sequence else { return }
    lanes[key] = lane.count == 1 ? nil : lane.dropFirst()
    loaded -= 1
  }

  private mutating func updateFirst(_ item: Item, attempts: Int, due: Duration) {
    let key = lane(of: item)
    guard let first = lanes[key]?.first, first.sequence == item.sequence,
      let index = lanes[key]?.startIndex
    else { return }
    lanes[key]?[index].attempts = attempts
    lanes[key]?[index].due = due
  }

  /// The first entry of each scope, among those that there is somebody to send for.
  private func firsts() -> [Item] {
    var firsts: [SyncScope: Item] = [:]
    for (lane, items) in lanes where collections.contains(lane.collection) {
      guard let item = items.first else { continue }
      if let other = firsts[lane.scope], other.sequence < item.sequence { continue }
      firsts[lane.scope] = item
    }
    return Array(firsts.values)
  }

  /// Sends what may be sent, the oldest first, and says when the next wait ends.
  private mutating func plan(_ now: Duration) -> [Command] {
    var commands: [Command] = []
    if let due = loadDue, due <= now {
      loadDue = nil
      commands.append(.load)
    }
    var free = firsts()
    free.removeAll { busy.contains($0.scope) || held.contains($0.sequence) }
    free.sort { $0.sequence < $1.sequence }
    for item in free where item.due <= now && active.count < parallelScopes {
      active[item.sequence] = (item, .sending)
      busy.insert(item.scope)
      untouched.remove(item.sequence)
      commands.append(.send(item.sequence))
    }
    // Those that are due already wait for others to end, not for time.
    let next = (free.map(\.due).filter { $0 > now } + [loadDue].compactMap(\.self)).min()
    if next != wake {
      wake = next
      commands.append(.wake(at: next))
    }
    return commands
  }
}
