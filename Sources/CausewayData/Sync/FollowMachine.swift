/// The decisions of an engine: when it reads, when it connects again, and what its status is.
///
/// A value without tasks, clocks or storage. Times are offsets on a clock that is never set back.
struct FollowMachine: Sendable {
  enum Outcome: Sendable, Equatable {
    case success
    /// A success that does not show everything that the server has acknowledged, as of a replica
    /// that lags behind.
    case behind(random: Double)
    case failure(RemoteFailure, random: Double)
    /// Given up from outside; says nothing about the server.
    case cancelled
  }

  enum Event: Sendable, Equatable {
    /// A session goes on, and the engine was started.
    case began
    /// There may be changes.
    case hinted
    /// The server has a mutation that what is stored does not show.
    case acknowledged
    /// The server gives hints, and has given one.
    case connected
    /// The server gives no hints.
    case noHints
    /// The hints have ended.
    case disconnected(RemoteFailure?, random: Double)
    /// A caller reads without a decision to.
    case readBegan
    /// A read has ended, of a caller or of a decision.
    case readEnded(Outcome)
    /// The time that a decision named has come.
    case woken
    /// The connection may be back: waits are cut short.
    case retryRequested
  }

  /// What is to be done.
  struct Decision: Sendable, Equatable {
    /// Connect to the hints, before reading.
    var opensHints = false
    var reads = false
    /// The server was reached again after failures.
    var isReachedAgain = false
    /// Call again with `woken` at this time, and not at the one named before.
    var wake: Duration?
  }

  /// How much time is between reads that only show what was acknowledged.
  ///
  /// Mutations that are acknowledged one after the other share a read.
  static let coverageInterval = Duration.milliseconds(250)

  let table: RetryTable
  let pollInterval: Duration?
  private var isFollowing = false
  private var reads = 0
  private var wantsRead = false
  private var hasRead = false
  private var failures = 0
  private var readDue: Duration?
  /// Whether the last read has not shown everything that the server has acknowledged.
  private var isBehind = false
  /// How many waits for one that does have run out.
  private var catchUps = 0
  private var hasHints = false
  private var hintFailures = 0
  /// When the current hints connected.
  private var hintsBegan: Duration?
  /// How long was waited before they were connected.
  private var hintWait = Duration.zero
  private var hintsDue: Duration?
  /// Whether something was acknowledged since the last read began.
  private var isCoverageDue = false
  /// When a read began that was to show what was acknowledged.
  private var coverageBegan: Duration?
  /// The last failure of a read or of the hints, until the next success.
  private(set) var lastError: RemoteFailure?

  init(table: RetryTable, pollInterval: Duration?) {
    self.table = table
    self.pollInterval = pollInterval
  }

  /// What the engine is doing.
  var phase: SyncStatus.Phase {
    if reads > 0 { return .syncing }
    if failures > 0 || hintsDue != nil { return .offline }
    return hasRead ? .upToDate : .idle
  }

  /// Whether something that is acknowledged now is read soon.
  var readsSoon: Bool { isFollowing && failures == 0 && hintsDue == nil }

  /// Takes in an event and returns what is to be done.
  mutating func handle(_ event: Event, now: Duration) -> Decision {
    var decision = Decision()
    switch event {
    case .began:
      isFollowing = true
      wantsRead = true
      decision.opensHints = true
    case .hinted: wantsRead = true
    case .acknowledged:
      catchUps = 0
      isCoverageDue = true
    case .connected:
      hasHints = true
      if hintsBegan == nil { hintsBegan = now }
      wantsRead = true
    case .noHints: hasHints = false
    case .disconnected(let failure, let random):
      disconnect(failure, random, now)
    case .readBegan: reads += 1
    case .readEnded(let outcome): decision.isReachedAgain = end(outcome, now)
    case .woken: break
    case .retryRequested:
      wantsRead = true
      if readDue != nil { readDue = now }
      if hintsDue != nil { hintsDue = now }
    }
    plan(now, &decision)
    return decision
  }

  /// Returns whether the server was reached again after failures.
  private mutating func end(_ outcome: Outcome, _ now: Duration) -> Bool {
    reads = max(reads - 1, 0)
    switch outcome {
    case .cancelled: return false
    case .failure(let failure, let random):
      failures += 1
      readDue = now + wait(failure, failures, random)
      lastError = failure
      return false
    case .success:
      (isBehind, catchUps) = (false, 0)
      return succeed(now, catchUp: nil)
    case .behind(let random):
      isBehind = true
      return succeed(
        now, catchUp: table.backoff.delay(afterAttempts: catchUps + 1, random: random))
    }
  }

  /// - Parameter catchUp: How soon to read again although no hint may tell of changes.
  private mutating func succeed(_ now: Duration, catchUp: Duration?) -> Bool {
    let wasFailing = failures > 0
    failures = 0
    hasRead = true
    lastError = nil
    let wait = [hasHints ? nil : pollInterval, catchUp].compactMap(\.self).min()
    readDue = wait.map { now + $0 }
    return wasFailing
  }

  /// Hints count as restored once they have lasted as long as they were waited for.
  ///
  /// A server that takes connections and drops them at once would otherwise be asked without a
  /// growing wait.
  private mutating func disconnect(_ failure: RemoteFailure?, _ random: Double, _ now: Duration) {
    if let began = hintsBegan, now - began >= hintWait { hintFailures = 0 }
    hintsBegan = nil
    hasHints = true
    hintFailures += 1
    hintWait = wait(failure, hintFailures, random)
    hintsDue = now + hintWait
    if let failure { lastError = failure }
  }

  /// A refused read is repeated too, but no sooner than at the cap.
  private func wait(_ failure: RemoteFailure?, _ failures: Int, _ random: Double) -> Duration {
    let failure = failure ?? RemoteFailure(.unreachable)
    switch table.verdict(on: failure, attempts: failures, random: random) {
    case .retry(let delay): return delay
    case .reject: return table.backoff.cap
    }
  }

  private mutating func plan(_ now: Duration, _ decision: inout Decision) {
    guard isFollowing else { return }
    if let due = hintsDue, due <= now {
      hintsDue = nil
      // What changed without a connection is asked for.
      wantsRead = true
      decision.opensHints = true
    }
    if let due = readDue, due <= now {
      readDue = nil
      wantsRead = true
      // Only waits that have run out make the next one longer; reads for hints come on top.
      if isBehind, failures == 0 { catchUps += 1 }
    }
    let coverageDue = isCoverageDue ? coverageBegan.map { $0 + Self.coverageInterval } ?? now : nil
    if let coverageDue, coverageDue <= now { wantsRead = true }
    // After a failure hints do not cut the wait short, or a server in trouble would get one read
    // for each of them.
    if wantsRead, reads == 0, failures == 0 || readDue == nil {
      wantsRead = false
      readDue = nil
      reads = 1
      decision.reads = true
      if isCoverageDue { (isCoverageDue, coverageBegan) = (false, now) }
    }
    let dues = [readDue, hintsDue, isCoverageDue ? coverageDue : nil].compactMap(\.self)
    decision.wake = dues.filter { $0 > now }.min()
  }
}
