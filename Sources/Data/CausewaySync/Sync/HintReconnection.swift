import CausewayBasics

/// When an engine reconnects to the stream of hints.
///
/// A value without tasks or clocks. Times are offsets on a clock that is never set back.
struct HintReconnection: Sendable {
  /// After a stream was open for this time, the engine reconnects at once.
  ///
  /// Many servers and proxies end streams regularly. This does not mean that the server is lost.
  private static let stableTime = Duration.seconds(20)

  private let table: RetryTable
  private var failures = 0
  /// When the current stream connected; `nil` without a connection.
  private var opened: Duration?
  /// The wait before the current stream connected.
  private var lastWait = Duration.zero
  /// When to reconnect; `nil` if the engine does not wait to reconnect.
  private(set) var due: Duration?
  /// Whether the wait ends when the server can be reached.
  private var endsWhenReached = false

  init(table: RetryTable) { self.table = table }

  /// Whether a stream is connected.
  var isOpen: Bool { opened != nil }

  /// The stream has connected.
  mutating func connected(at now: Duration) { opened = now }

  /// Plans the next connection after the end of a stream.
  ///
  /// The count of failures is reset only if the stream was open for at least as long as the wait
  /// before it. Otherwise the wait would not grow for a server that accepts connections and drops
  /// them at once.
  ///
  /// - Returns: Whether the server may be lost; `false` after the regular end of a stable stream.
  mutating func ended(_ failure: RemoteFailure?, random: Double, at now: Duration) -> Bool {
    let openTime = opened.take().map { now - $0 }
    if let openTime, openTime >= lastWait { failures = 0 }
    if let openTime, openTime >= max(lastWait, Self.stableTime), failure?.kind != .timedOut,
      failure?.retryAfter == nil
    {
      (lastWait, due) = (.zero, now)
      return false
    }
    failures += 1
    lastWait = table.wait(after: failure, failures: failures, random: random)
    due = now + lastWait
    endsWhenReached = failure?.isLoss ?? true
    return true
  }

  /// The server can be reached, so a wait for it ends.
  mutating func reached(at now: Duration) {
    if endsWhenReached { retry(at: now) }
  }

  /// Ends any wait.
  mutating func retry(at now: Duration) {
    if due != nil { due = now }
  }

  /// Returns whether the engine reconnects now, which ends the wait.
  mutating func reconnects(at now: Duration) -> Bool {
    guard let time = due, time <= now else { return false }
    due = nil
    return true
  }
}

extension RetryTable {
  /// The wait before a read or a connection is repeated.
  ///
  /// A refused read or connection is also repeated, after the longest wait of the backoff.
  func wait(after failure: RemoteFailure?, failures: Int, random: Double) -> Duration {
    switch verdict(on: failure ?? RemoteFailure(.unreachable), attempts: failures, random: random) {
    case .retry(let delay): delay
    case .reject: backoff.cap
    }
  }
}
