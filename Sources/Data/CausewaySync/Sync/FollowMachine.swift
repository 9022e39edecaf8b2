import CausewayBasics

/// The decisions of an engine: when it reads, when it reconnects, and its status.
///
/// It is a value without tasks, clocks or storage. Times are offsets on a clock that is never set
/// back. ``HintReconnection`` plans the connections.
struct FollowMachine: Sendable {
  enum Outcome: Sendable, Equatable {
    case success
    /// A successful read whose data lacks a mutation that the server has acknowledged.
    ///
    /// This happens, for example, if the server reads from a replica that lags behind.
    case behind(random: Double)
    case failure(RemoteFailure, random: Double)
    /// Other code cancelled the read, so the result does not show whether the server can be
    /// reached.
    case cancelled
  }

  enum Event: Sendable, Equatable {
    /// A session is current, and the engine was started.
    case began
    /// The server may have changes.
    case hinted
    /// The server has a mutation that stored data does not contain.
    case acknowledged
    /// A hint has arrived.
    ///
    /// `sends` is true if mutations of the scope are pending.
    case connected(sends: Bool)
    /// The server has answered the outbox or another engine, after it could not be reached.
    case reached
    /// The server has no stream of hints.
    case noHints
    /// The stream of hints has ended.
    case disconnected(RemoteFailure?, random: Double)
    /// A caller has begun a read without a decision of this machine.
    case readBegan
    /// A read has ended, whether a caller or a decision has begun it.
    case readEnded(Outcome)
    /// The wake time of a decision has come.
    case woken
    /// The connection may be back, so all waits end now.
    case retryRequested
  }

  /// The work for the engine.
  struct Decision: Sendable, Equatable {
    /// Connect to the stream of hints, and then read.
    var opensHints = false
    var reads = false
    /// The server can be reached again after a loss.
    var isReachedAgain = false
    /// Report `woken` at this time; replaces the time of the previous decision.
    var wake: Duration?
  }

  /// The longest pause between reads whose only purpose is to confirm acknowledged mutations.
  ///
  /// Mutations that are acknowledged during a pause share a read. The first pauses are shorter, so
  /// a few mutations are confirmed soon.
  static let coverageInterval = Duration.milliseconds(250)
  private static let firstCoveragePause = Duration.milliseconds(5)

  let table: RetryTable
  let pollInterval: Duration?
  private var isFollowing = false
  private var reads = 0
  private var wantsRead = false
  private var hasRead = false
  private var failures = 0
  /// Whether the last read failed because the server could not be reached.
  private var isReadLost = false
  private var readDue: Duration?
  /// When this machine last decided to read.
  private var readBegan: Duration?
  /// When to read for a hint that arrived while mutations were pending.
  private var hintDue: Duration?
  /// Whether the last read lacked a mutation that the server has acknowledged.
  private var isBehind = false
  /// The number of reads that were repeated because the data was behind.
  private var catchUps = 0
  /// Whether the current hint stream has yielded a hint.
  ///
  /// A stream that has not yielded is perhaps not connected, so the engine polls.
  private var hasHints = false
  private var reconnection: HintReconnection
  /// Whether the hint stream was lost, and the server has not answered since then.
  private var isLost = false
  /// The number of running reads that began before the loss; their success does not end the loss.
  private var readsBeforeLoss = 0
  /// Whether a read has succeeded since the hint stream was opened.
  private var hasReadSinceOpening = false
  /// Whether the server has acknowledged a mutation since the last read began.
  private var isCoverageDue = false
  /// When the last read for acknowledged mutations began.
  private var coverageBegan: Duration?
  /// The pause after a read for acknowledged mutations; doubles up to `coverageInterval`.
  private var coveragePause = Self.firstCoveragePause
  /// The last failure of a read or of the hints, until the next success.
  private(set) var lastError: RemoteFailure?

  init(table: RetryTable, pollInterval: Duration?) {
    self.table = table
    self.pollInterval = pollInterval
    reconnection = HintReconnection(table: table)
  }

  /// The current activity of the engine.
  var phase: SyncStatus.Phase {
    // After a failure, the phase stays `offline` while a read tries to reach the server.
    if failures > 0 || isLost { return .offline }
    if reads > 0 { return .syncing }
    return hasRead ? .upToDate : .idle
  }

  /// Whether the engine reads soon after the server acknowledges a mutation.
  var readsSoon: Bool { isFollowing && failures == 0 && !isLost && reconnection.due == nil }

  /// Processes an event and returns the work for the engine.
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
      endLostWaits(now)
    case .reached: endLostWaits(now)
    case .connected(let sends):
      hasHints = true
      if !reconnection.isOpen {
        reconnection.connected(at: now)
        decision.isReachedAgain = isLost || isReadLost
        isLost = false
        // Later hints of the stream do not end the wait of a failed read. Otherwise a failing
        // server would get a read for each hint.
        if isReadLost { readDue = now }
      }
      // The server also sends hints for the changes of this client. A read for each hint would slow
      // down the sending. Therefore several hints share a read, as acknowledgements do.
      if sends { hintDue = hintDue ?? readBegan.map { $0 + Self.coverageInterval } ?? now }
      if !sends { wantsRead = true }
    case .noHints: hasHints = false
    case .disconnected(let failure, let random):
      disconnect(failure, random, now)
    case .readBegan: reads += 1
    case .readEnded(let outcome): decision.isReachedAgain = end(outcome, now)
    case .woken: break
    case .retryRequested:
      wantsRead = true
      if readDue != nil { readDue = now }
      reconnection.retry(at: now)
    }
    plan(now, &decision)
    return decision
  }

  /// Returns whether the server answered again after failures.
  private mutating func end(_ outcome: Outcome, _ now: Duration) -> Bool {
    reads = max(reads - 1, 0)
    // Reads run one after another, so the oldest one has ended.
    let isOlder = readsBeforeLoss > 0
    if isOlder { readsBeforeLoss -= 1 }
    switch outcome {
    case .cancelled: return false
    case .failure(let failure, let random):
      failures += 1
      isReadLost = failure.isLoss
      readDue = now + table.wait(after: failure, failures: failures, random: random)
      lastError = failure
      return false
    case .success:
      (isBehind, catchUps) = (false, 0)
      return succeed(now, isOlder, catchUp: nil)
    case .behind(let random):
      isBehind = true
      return succeed(
        now, isOlder, catchUp: table.backoff.delay(afterAttempts: catchUps + 1, random: random))
    }
  }

  /// - Parameters:
  ///   - isOlder: Whether the read began before the loss of the hint stream.
  ///   - catchUp: The wait before the next read if the last read lacked a mutation; otherwise
  ///     `nil`.
  private mutating func succeed(_ now: Duration, _ isOlder: Bool, catchUp: Duration?) -> Bool {
    let wasLost = failures > 0 || (isLost && !isOlder)
    if failures > 0 { reconnection.reached(at: now) }
    (failures, isReadLost, isLost) = (0, false, isLost && isOlder)
    (hasRead, hasReadSinceOpening) = (true, true)
    lastError = nil
    let wait = [hasHints ? nil : pollInterval, catchUp].compactMap(\.self).min()
    readDue = wait.map { now + $0 }
    return wasLost
  }

  /// Ends the waits that began because the server could not be reached.
  private mutating func endLostWaits(_ now: Duration) {
    if isReadLost, readDue != nil { readDue = now }
    reconnection.reached(at: now)
  }

  /// Records the end of a hint stream.
  ///
  /// If the stream did not connect although a read succeeded meanwhile, the server is not lost.
  /// Some proxies forward requests, but no streams.
  private mutating func disconnect(_ failure: RemoteFailure?, _ random: Double, _ now: Duration) {
    let wasOpen = reconnection.isOpen
    hasHints = false
    guard reconnection.ended(failure, random: random, at: now) else { return }
    isLost = isLost || wasOpen || !hasReadSinceOpening
    readsBeforeLoss = reads
    if let failure { lastError = failure }
  }

  private mutating func plan(_ now: Duration, _ decision: inout Decision) {
    guard isFollowing else { return }
    if reconnection.reconnects(at: now) {
      // The server may have changed data while there was no connection.
      wantsRead = true
      (hasHints, hasReadSinceOpening) = (false, false)
      decision.opensHints = true
    }
    if let due = readDue, due <= now {
      readDue = nil
      wantsRead = true
      // Only a wait that has ended makes the next wait longer. A hint does not.
      if isBehind, failures == 0 { catchUps += 1 }
    }
    let coverageDue = isCoverageDue ? coverageBegan.map { $0 + coveragePause } ?? now : nil
    if let coverageDue, coverageDue <= now { wantsRead = true }
    if let due = hintDue, due <= now { wantsRead = true }
    // After a failure, a hint does not end the wait. Otherwise a failing server would get a read
    // for each hint.
    if wantsRead, reads == 0, failures == 0 || readDue == nil {
      wantsRead = false
      readDue = nil
      reads = 1
      decision.reads = true
      (readBegan, hintDue) = (now, nil)
      if isCoverageDue { beginCoverage(now) }
    }
    let dues = [readDue, reconnection.due, hintDue, isCoverageDue ? coverageDue : nil].compactMap(
      \.self)
    decision.wake = dues.filter { $0 > now }.min()
  }

  /// Doubles the pause if the last read for acknowledged mutations was recent, or resets the pause.
  private mutating func beginCoverage(_ now: Duration) {
    let isBusy = coverageBegan.map { now - $0 < Self.coverageInterval * 2 } ?? false
    coveragePause =
      isBusy ? min(coveragePause * 2, Self.coverageInterval) : Self.firstCoveragePause
    (isCoverageDue, coverageBegan) = (false, now)
  }
}
