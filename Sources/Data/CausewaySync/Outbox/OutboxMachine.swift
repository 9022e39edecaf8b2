import CausewayBasics

/// The decisions of an outbox: which entries to send, when to send them, and how to treat answers.
///
/// A value without tasks, clocks or storage. The outbox passes events to it and executes the
/// decisions that it returns. Times are offsets on a clock that is never set back.
struct OutboxMachine: Sendable {
  /// The fields of an entry that decisions need.
  ///
  /// Payloads stay on disk.
  struct Item: Sendable, Equatable {
    var sequence: Int64
    var collection: String
    var scope: SyncScope
    var attempts: Int = 0
    var failures = FailureCounts()
    /// The earliest time at which the entry may be sent.
    var due: Duration = .zero
    /// Whether the entry waits because the server could not be reached.
    var isLost = false
    /// The entries that the server must have before this entry.
    var requires: [Int64] = []
  }

  /// The result of a send.
  enum Answer: Sendable, Equatable {
    /// The server has the mutation.
    ///
    /// `isReadSoon` is true if a read is expected soon, which can store the receipt together with
    /// its own rows.
    case receipt(isReadSoon: Bool)
    /// The send failed.
    ///
    /// `random` spreads the wait before the next attempt.
    case failure(RemoteFailure, random: Double)
  }

  enum Event: Sendable, Equatable {
    /// Stored entries in order; entries that the machine already has are ignored.
    case loaded([Item])
    /// The stored entries could not be read.
    case notLoaded(random: Double)
    /// A sender was registered for a collection.
    ///
    /// `limitsTime` is true if the outbox's timeout ends its requests.
    case registered(String, batchLimit: Int = 1, limitsTime: Bool = true)
    /// The server has answered the first unanswered entry of a send.
    case answered(Int64, Answer)
    /// The server has processed neither this entry of a send nor the later entries.
    case unanswered(Int64)
    /// The request of several entries failed, so smaller requests follow.
    ///
    /// After a timeout, the scope's next requests have half as many entries. After another failure,
    /// the entries are sent one by one.
    case split(Int64, isTimeout: Bool = false)
    /// The change of an entry was committed.
    case stored(Int64)
    /// The change of an entry could not be committed, or the entry could not be read.
    case notStored(Int64, random: Double)
    /// Receipts were committed.
    case saved([Int64])
    /// Receipts could not be committed.
    case notSaved([Int64], random: Double)
    /// The transaction that should have stored receipts failed for another reason.
    case unclaimed([Int64])
    /// The read that should have stored receipts failed.
    case readFailed([Int64])
    /// The entries no longer exist.
    case gone([Int64])
    /// The wake time of a decision has come.
    case woken
    /// The connection may be back, so all waits end now.
    case retryRequested
    /// The server can be reached again, so entries that could not reach it stop waiting.
    case reached
    /// The session has ended.
    case reset
  }

  /// The change to store for an entry that the server did not accept.
  enum Change: Sendable, Equatable {
    case retry(attempts: Int, after: Duration, RemoteFailure, counts: FailureCounts)
    case rejected(attempts: Int, RemoteFailure)
  }

  /// The work for the outbox.
  struct Decision: Sendable, Equatable {
    /// Store this change of the answered entry, and report `stored` or `notStored`.
    var change: Change?
    /// Send these entries; several entries are sent in one request.
    var sends: [[Int64]] = []
    /// Store the receipts of these entries, and report `saved`, `notSaved` or `unclaimed`.
    var saves: [Int64] = []
    /// Read the stored entries again.
    var loads = false
    /// The time at which to report `woken`; it replaces the time of the previous decision.
    var wake: Duration?
    /// The server can be reached again after a loss.
    var isReachedAgain = false
  }

  private enum Activity {
    case sending
    case storing(Change)
  }

  /// The entries of a scope that are being sent, beginning with the first unanswered one.
  private struct Flight {
    var item: Item
    var rest: ArraySlice<Int64> = []
    var activity = Activity.sending
  }

  /// The size of a scope's requests, after a request with more entries took too long.
  private struct ReducedBatch {
    var limit: Int
    /// The requests that were answered in time since the last change of the limit.
    var successes = 0
  }

  /// The number of answered requests after which a reduced batch becomes twice as large.
  private static let successesPerGrowth = 8

  let table: RetryTable
  let parallelScopes: Int
  private var lanes = OutboxLanes()
  /// At most one flight for each scope.
  ///
  /// The key is the flight's first entry, which is also the first entry of a lane.
  private var active: [Int64: Flight] = [:]
  /// The entries of a scope up to this one are sent one by one, because their batch failed.
  private var alone: [SyncScope: Int64] = [:]
  private var reduced: [SyncScope: ReducedBatch] = [:]
  private var last: Int64 = 0
  /// Entries that this process has stored and not sent; these entries can still be undone.
  private var untouched: Set<Int64> = []
  /// Entries that this process has stored and not loaded yet.
  private var told: Set<Int64> = []
  /// Entries that were removed before they were loaded.
  ///
  /// A load that began before the removal may still contain them.
  private var removedEarly: Set<Int64> = []
  /// Whether the server could not be reached, and has not answered since then.
  private var isLost = false
  /// When the server last answered, or when a request first failed.
  private var lastAnswer: Duration?
  /// A request that fails within this time after an answer does not count as a loss.
  ///
  /// Otherwise an entry whose requests always fail would be sent again after each answer to another
  /// entry.
  private static let lossTime = Duration.seconds(5)
  private var failedLoads = 0
  private var loadDue: Duration?
  /// The receipts of acknowledged entries.
  private var receipts = ReceiptSchedule()

  init(table: RetryTable, parallelScopes: Int) {
    self.table = table
    self.parallelScopes = parallelScopes
  }

  /// The number of entries that are not acknowledged, including entries known only from `noteOwn`.
  var count: Int { lanes.count + told.count }

  /// The highest sequence number that was loaded.
  var loadedUpTo: Int64 { last }

  /// The number of failed attempts of an entry that is being sent.
  func attempts(of sequence: Int64) -> Int { active[sequence]?.item.attempts ?? 0 }

  /// Limits a batch to its first entries, because the others are too large for it.
  mutating func shorten(_ sequence: Int64, to count: Int) {
    guard let rest = active[sequence]?.rest else { return }
    active[sequence]?.rest = rest.prefix(count - 1)
  }

  /// Processes an event and returns the work for the outbox.
  ///
  /// Complexity: O(log scopes), and O(entries) for `loaded`, `gone`, `retryRequested`, and for the
  /// first answer after a loss.
  mutating func handle(_ event: Event, now: Duration) -> Decision {
    var change: Change?
    let wasLost = isLost
    switch event {
    case .loaded(let items):
      (failedLoads, loadDue) = (0, nil)
      load(items)
    case .notLoaded(let random):
      failedLoads += 1
      loadDue = now + table.backoff.delay(afterAttempts: failedLoads, random: random)
    case .registered(let collection, let limit, let limitsTime):
      lanes.register(collection, batchLimit: limit, limitsTime: limitsTime)
    case .answered(let sequence, .receipt(let isReadSoon)):
      noteAnswer(now)
      acknowledge(sequence, isReadSoon: isReadSoon, now)
    case .answered(let sequence, .failure(let failure, let random)):
      guard let item = active[sequence]?.item else { break }
      if failure.isLoss { noteLoss(now) } else { noteAnswer(now) }
      let decided = decide(failure, item, random)
      active[sequence]?.activity = .storing(decided)
      change = decided
    case .unanswered(let sequence): end(active[sequence], sequence)
    case .split(let sequence, let isTimeout):
      guard let flight = active[sequence] else { break }
      if isTimeout {
        reduced[flight.item.scope] = ReducedBatch(limit: (flight.rest.count + 1) / 2)
      } else {
        alone[flight.item.scope] = flight.rest.last ?? sequence
      }
    case .stored(let sequence): finish(sequence, now)
    case .notStored(let sequence, let random): postpone(sequence, now, random)
    case .saved(let sequences): receipts.saved(sequences)
    case .notSaved(let sequences, let random):
      receipts.notSaved(sequences, now: now, table.backoff, random: random)
    case .unclaimed(let sequences): receipts.unclaimed(sequences, now: now)
    case .readFailed(let sequences): receipts.readFailed(sequences)
    case .gone(let sequences): remove(sequences)
    case .woken: break
    case .retryRequested: retryNow(now)
    case .reached:
      isLost = false
      endWaits(now, ofLostOnly: true)
    case .reset: reset()
    }
    var decision = plan(now)
    decision.change = change
    decision.isReachedAgain = wasLost && !isLost && event != .reached && event != .reset
    return decision
  }

  /// Records that this process has stored an entry; the entry can be undone until it is sent.
  mutating func noteOwn(_ sequence: Int64) {
    guard sequence > last, !removedEarly.contains(sequence) else { return }
    untouched.insert(sequence)
    told.insert(sequence)
  }

  /// Prevents an entry from being sent; returns `false` if it may have been sent already.
  ///
  /// The caller then calls `handle` with `gone`, or `release`.
  mutating func hold(_ sequence: Int64) -> Bool {
    guard untouched.contains(sequence) else { return false }
    lanes.hold(sequence)
    return true
  }

  /// Prevents an entry from being sent again; returns `false` while it is in a request.
  ///
  /// The caller then calls `handle` with `gone`, or `release`.
  mutating func holdIdle(_ sequence: Int64) -> Bool {
    let isSending = active.contains { $0.key == sequence || $0.value.rest.contains(sequence) }
    if !isSending { lanes.hold(sequence) }
    return !isSending
  }

  /// Allows a held entry to be sent.
  mutating func release(_ sequence: Int64, now: Duration) -> Decision {
    lanes.release(sequence)
    return plan(now)
  }

  /// Returns receipts for the caller to store.
  ///
  /// The caller then reports `saved`, `notSaved` or `unclaimed`.
  ///
  /// - Parameter sequences: The receipts to return, unless other code has claimed them; `nil` for
  ///   all receipts.
  mutating func claimReceipts(_ sequences: Set<Int64>? = nil) -> [Int64] {
    receipts.claim(sequences)
  }

  /// Records that claimed receipts are not being stored; makes no decisions.
  mutating func returnReceipts(_ sequences: Set<Int64>, now: Duration) {
    receipts.unclaimed(Array(sequences), now: now)
  }

  /// Whether an entry is loaded and not acknowledged.
  func contains(_ sequence: Int64) -> Bool { lanes.contains(sequence) }

  /// Whether a transaction is storing receipts.
  var isSaving: Bool { receipts.isSaving }
}

extension OutboxMachine {
  private mutating func load(_ items: [Item]) {
    for item in items where item.sequence > last {
      last = item.sequence
      if item.isLost { isLost = true }
      if !removedEarly.contains(item.sequence) { lanes.append(item) }
    }
    // Entries are loaded in the order of their commits. So each entry up to `last` was loaded or
    // removed.
    told = told.filter { $0 > last }
    removedEarly = removedEarly.filter { $0 > last }
  }

  private func decide(_ failure: RemoteFailure, _ item: Item, _ random: Double) -> Change {
    let attempts = failure.madeProgress ? 1 : item.attempts + 1
    var counts = failure.madeProgress ? FailureCounts() : item.failures
    if !failure.madeProgress { counts.add(failure.kind) }
    let verdict = table.verdict(
      on: failure, attempts: attempts, ofSameKind: counts[failure.kind], random: random)
    switch verdict {
    case .reject: return .rejected(attempts: attempts, failure)
    case .retry(let delay):
      return .retry(attempts: attempts, after: delay, failure, counts: counts)
    }
  }

  /// Removes an entry that the server has.
  ///
  /// The scope can send its next entry before the receipt is stored.
  private mutating func acknowledge(_ sequence: Int64, isReadSoon: Bool, _ now: Duration) {
    guard let flight = active[sequence] else { return }
    if flight.rest.isEmpty { growBatch(of: flight.item) }
    advance(flight)
    receipts.add(sequence, isReadSoon: isReadSoon, now: now)
  }

  /// Makes a reduced batch larger after several requests were answered in time.
  private mutating func growBatch(of item: Item) {
    guard var batch = reduced[item.scope] else { return }
    batch.successes += 1
    if batch.successes == Self.successesPerGrowth { batch = ReducedBatch(limit: batch.limit * 2) }
    let isFull = batch.limit >= lanes.batchLimit(for: item.collection)
    reduced[item.scope] = isFull ? nil : batch
  }

  private mutating func finish(_ sequence: Int64, _ now: Duration) {
    guard let flight = active[sequence], case .storing(let change) = flight.activity else { return }
    switch change {
    case .rejected: advance(flight)
    case .retry(let attempts, let delay, let failure, let counts):
      end(flight, sequence)
      updateFirst(
        flight.item, attempts: attempts, counts, due: now + delay, isLost: failure.isLoss)
    }
  }

  /// Removes the first entry of a flight; the flight then waits for the answers of the others.
  private mutating func advance(_ flight: Flight) {
    active[flight.item.sequence] = nil
    lanes.remove([flight.item.sequence])
    let next = lanes.first(of: flight.item.collection, flight.item.scope)
    guard let next, next.sequence == flight.rest.first else {
      lanes.end(flight.item.scope)
      return
    }
    active[next.sequence] = Flight(item: next, rest: flight.rest.dropFirst())
  }

  /// Ends a flight.
  ///
  /// Its entries are sent again.
  private mutating func end(_ flight: Flight?, _ sequence: Int64) {
    guard let flight else { return }
    active[sequence] = nil
    lanes.end(flight.item.scope)
  }

  /// Schedules another attempt with the same key.
  private mutating func postpone(_ sequence: Int64, _ now: Duration, _ random: Double) {
    guard let flight = active[sequence] else { return }
    end(flight, sequence)
    let item = flight.item
    let delay = table.backoff.delay(afterAttempts: item.attempts + 1, random: random)
    // This does not count as an attempt, because the server did not cause the failure.
    updateFirst(item, attempts: item.attempts, item.failures, due: now + delay)
  }

  private mutating func remove(_ sequences: [Int64]) {
    for sequence in sequences {
      untouched.remove(sequence)
      told.remove(sequence)
      if sequence > last { removedEarly.insert(sequence) }
      end(active[sequence], sequence)
    }
    lanes.remove(sequences)
  }

  private mutating func retryNow(_ now: Duration) {
    endWaits(now)
    receipts.retryNow(now)
  }

  /// Ends the waits of entries that could not reach the server, because it has answered.
  ///
  /// Complexity: O(lanes) for the first answer after a loss.
  private mutating func noteAnswer(_ now: Duration) {
    lastAnswer = now
    guard isLost else { return }
    isLost = false
    endWaits(now, ofLostOnly: true)
  }

  private mutating func noteLoss(_ now: Duration) {
    guard let lastAnswer else { return lastAnswer = now }
    if now - lastAnswer >= Self.lossTime { isLost = true }
  }

  private mutating func endWaits(_ now: Duration, ofLostOnly: Bool = false) {
    for (sequence, flight) in active {
      // The entry already waits, although its change is still being stored.
      guard case .storing(.retry(let attempts, _, let failure, let counts)) = flight.activity,
        failure.isLoss || !ofLostOnly
      else { continue }
      let change = Change.retry(attempts: attempts, after: .zero, failure, counts: counts)
      active[sequence]?.activity = .storing(change)
    }
    lanes.endWaits(now, ofLostOnly: ofLostOnly) { [active] in active[$0] != nil }
  }

  private mutating func reset() {
    (isLost, lastAnswer) = (false, nil)
    lanes.removeAll()
    active = [:]
    untouched = []
    told = []
    removedEarly = []
    last = 0
    alone = [:]
    reduced = [:]
    (failedLoads, loadDue) = (0, nil)
    receipts = ReceiptSchedule()
  }

  private mutating func updateFirst(
    _ item: Item, attempts: Int, _ counts: FailureCounts, due: Duration, isLost: Bool = false
  ) {
    lanes.updateFirst(item) { first in
      first.attempts = attempts
      first.failures = counts
      first.due = due
      first.isLost = isLost
    }
  }

  /// The largest number of entries in a request that begins with an entry.
  private func batchLimit(from first: Item) -> Int {
    if let last = alone[first.scope], last >= first.sequence { return 1 }
    let limit = lanes.batchLimit(for: first.collection)
    return min(limit, reduced[first.scope]?.limit ?? limit)
  }

  /// The classes in which another request may begin.
  ///
  /// Each class has its own limit. Requests without a time limit, such as uploads, may take hours.
  /// They must not delay the other requests.
  private var freeClasses: Set<OutboxLanes.RequestClass> {
    let classes = active.values.map { lanes.requestClass(of: $0.item.collection) }
    return Set(OutboxLanes.RequestClass.allCases).filter { candidate in
      classes.count { $0 == candidate } < parallelScopes
    }
  }

  /// Sends the entries that may be sent, the oldest first, and computes when the next wait ends.
  private mutating func plan(_ now: Duration) -> Decision {
    var decision = Decision()
    if let due = loadDue, due <= now {
      loadDue = nil
      decision.loads = true
    }
    while let first = lanes.next(now, freeClasses) {
      let batch = lanes.batch(from: first, limit: batchLimit(from: first.item), now)
      active[first.item.sequence] = Flight(item: first.item, rest: batch.dropFirst())
      lanes.begin(first.item.scope)
      untouched.subtract(batch)
      decision.sends.append(batch)
    }
    decision.saves = receipts.claimDue(now, isSending: !active.isEmpty)
    // If no request may begin, the machine need not wake for an entry.
    let due = freeClasses.isEmpty ? nil : lanes.wake()
    decision.wake = [due, loadDue, receipts.wake].compactMap(\.self).min()
    return decision
  }
}
