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
    /// Somebody reads without having been told to.
    case readBegan
    /// A read has ended, whoever has begun it.
    case readEnded(Outcome)
    /// The time that a `wake` command named has come.
    case woken
    /// The connection may be back: waits are cut short.
    case retryRequested
  }

  enum Command: Sendable, Equatable {
    case read
    case openHints
    /// Call again with `woken` at this time; replaces an earlier one, `nil` takes it back.
    case wake(at: Duration?)
    /// The server was reached again after failures.
    case reached
  }

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
  /// When the hints began that there are now.
  private var hintsBegan: Duration?
  /// How long was waited before.
  private var hintWait = Duration.zero
  private var hintsDue: Duration?
  private var wake: Duration?
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

  /// Takes in an event and returns what is to be done.
  mutating func handle(_ event: Event, now: Duration) -> [Command] {
    var commands: [Command] = []
    switch event {
    case .began:
      isFollowing = true
      wantsRead = true
      commands.append(.openHints)
    case .hinted: wantsRead = true
    case .acknowledged:
      catchUps = 0
      wantsRead = true
    case .connected:
      hasHints = true
      if hintsBegan == nil { hintsBegan = now }
      wantsRead = true
    case .noHints: hasHints = false
    case .disconnected(let failure, let random):
      disconnect(failure, random, now)
    case .readBegan: reads += 1
    case .readEnded(let outcome): commands += end(outcome, now)
    case .woken: wake = nil
    case .retryRequested:
      wantsRead = true
      if readDue != nil { readDue = now }
      if hintsDue != nil { hintsDue = now }
    }
    return commands + plan(now)
  }

  private mutating func end(_ outcome: Outcome, _ now: Duration) -> [Command] {
    reads = max(reads - 1, 0)
    switch outcome {
    case .cancelled: return []
    case .failure(let failure, let random):
      failures += 1
      readDue = now + wait(failure, failures, random)
      lastError = failure
      return []
    case .success:
      (isBehind, catchUps) = (false, 0)
      return succeed(now, catchUp: nil)
    case .behind(let random):
      isBehind = true
      return succeed(
        now, catchUp: table.backoff.delay(afterAttempts: catchUps + 1, random: random))
    }
  }

  /// - Parameter catchUp: How soon to read again although nobody may tell of changes.
  private mutating func succeed(_ now: Duration, catchUp: Duration?) -> [Command] {
    let wasFailing = failures > 0
    failures = 0
    hasRead = true
    lastError = nil
    let wait = [hasHints ? nil : pollInterval, catchUp].compactMap(\.self).min()
    readDue = wait.map { now + $0 }
    return wasFailing ? [.reached] : []
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

  /// A refused read is asked again too, since nobody else would; but no sooner than at the cap.
  private func wait(_ failure: RemoteFailure?, _ failures: Int, _ random: Double) -> Duration {
    let failure = failure ?? RemoteFailure(.unreachable)
    switch table.verdict(on: failure, attempts: failures, random: random) {
    case .retry(let delay): return delay
    case .reject: return table.backoff.cap
    }
  }

  private mutating func plan(_ now: Duration) -> [Command] {
    guard isFollowing else { return [] }
    var commands: [Command] = []
    if let due = hintsDue, due <= now {
      hintsDue = nil
      // What changed while nothing was heard is asked for.
      wantsRead = true
      commands.append(.openHints)
    }
    if let due = readDue, due <= now {
      readDue = nil
      wantsRead = true
      // Only waits that have run out make the next one longer; reads for hints come on top.
      if isBehind, failures == 0 { catchUps += 1 }
    }
    // After a failure hints do not cut the wait short, or a server in trouble would get one read
    // for each of them.
    if wantsRead, reads == 0, failures == 0 || readDue == nil {
      wantsRead = false
      readDue = nil
      reads = 1
      commands.append(.read)
    }
    let next = [readDue, hintsDue].compactMap(\.self).min()
    if next != wake {
      wake = next
      commands.append(.wake(at: next))
    }
    return commands
  }
}
