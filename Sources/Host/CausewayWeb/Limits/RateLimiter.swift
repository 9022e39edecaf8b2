import CausewaySystem
public import Foundation
import Synchronization

/// Limits how often clients may do something, by keys such as an account or an address.
///
/// A key may use its whole allowance at once. The allowance then grows back evenly.
///
/// ```swift
/// let limiter = RateLimiter(10, per: .seconds(60))
/// server.post("/feedback") { request in
///   try limiter.count(request.remoteNetwork)
///   return .empty()
/// }
/// ```
///
/// The limiter works on any thread, without timers. Its memory is bounded: if there are too many
/// keys, it forgets those that have used the least of their allowance. The counts belong to this
/// process. A limit that must hold for several processes or after a restart needs a count in the
/// database, in the transaction of the change.
public final class RateLimiter: Sendable {
  private struct State {
    var buckets: [String: TokenBucket] = [:]
    /// The number of keys at which the full buckets are removed.
    var nextRemoval = 64
  }

  /// The largest number of keys.
  static let capacity = 20_000

  private let rate: Double
  private let burst: Double
  private let code: String
  private let detail: String
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())

  /// Makes a limiter.
  ///
  /// - Parameters:
  ///   - limit: The allowance of each key, at least 1.
  ///   - period: The time in which a used allowance grows back completely.
  ///   - code: The identifier of the answer, for programs.
  ///   - detail: The first sentence of the answer, for people. The second one says when to try
  ///     again.
  ///   - date: Returns the date, which a simulation controls. If it is set back, allowances do not
  ///     grow until it has caught up. Default: a clock that is never set back.
  public convenience init(
    _ limit: Int, per period: Duration, code: String = "too-many-requests",
    detail: String = "There were too many requests.", date: (@Sendable () -> Date)? = nil
  ) {
    let (start, first) = (ContinuousClock.now, date?())
    self.init(
      rate: Double(limit) / (period / .seconds(1)), burst: limit, code: code, detail: detail,
      now: {
        guard let date, let first else { return .now }
        return start + .seconds(max(0, min(date().timeIntervalSince(first), 1e9)))
      })
  }

  /// - Parameter rate: The part of the allowance that grows back in a second.
  init(
    rate: Double, burst: Int, code: String, detail: String,
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    self.rate = rate
    self.burst = Double(burst)
    self.code = code
    self.detail = detail
    self.now = now
  }

  /// Counts an event for each key, or refuses it and counts nothing.
  ///
  /// Complexity: O(k) in the number of keys, amortised.
  ///
  /// - Parameters:
  ///   - keys: The keys that the event counts for. All of them must have enough of their allowance
  ///     left.
  ///   - events: The number of events. If they are more than the limit, the whole allowance is
  ///     enough.
  /// - Throws: A ``Problem`` with status 429 and `Retry-After`.
  public func count(_ keys: String..., events: Int = 1) throws(Problem) {
    try count(keys, events: events)
  }

  func count(_ keys: [String], events: Int = 1) throws(Problem) {
    guard let wait = take(keys, events: events) else { return }
    let rounded = (min(wait, .seconds(86_400)) / .seconds(1)).rounded(.up)
    let seconds = max(1, Int(exactly: rounded) ?? 86_400)
    let time = seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) minutes"
    throw Problem(
      .tooManyRequests, code: code, detail: "\(detail) Try again in \(time).",
      headers: ["Retry-After": String(seconds)])
  }

  /// Counts an event for each key and returns true, or returns false and counts nothing.
  public func allows(_ keys: String...) -> Bool { take(keys, events: 1) == nil }

  /// Gives a key its whole allowance.
  public func reset(_ key: String) { state.withLock { $0.buckets[key] = nil } }

  /// The number of keys that have used a part of their allowance.
  var keyCount: Int { state.withLock(\.buckets.count) }

  private func take(_ keys: [String], events: Int) -> Duration? {
    let now = now()
    return state.withLock { state in
      var wait: Duration?
      var taken: [(key: String, bucket: TokenBucket)] = []
      for key in keys {
        var bucket = state.buckets[key] ?? TokenBucket(rate: rate, burst: burst, now: now)
        if let time = bucket.take(events, now: now) { wait = max(wait ?? time, time) }
        taken.append((key, bucket))
      }
      guard wait == nil else { return wait }
      for (key, bucket) in taken { state.buckets[key] = bucket }
      if state.buckets.count > state.nextRemoval { removeKeys(of: &state, now: now) }
      return nil
    }
  }

  private func removeKeys(of state: inout State, now: ContinuousClock.Instant) {
    state.buckets = state.buckets.filter { !$0.value.isFull(now: now) }
    if state.buckets.count > Self.capacity / 2 {
      let emptiest = state.buckets.sorted { $0.value.level(now: now) < $1.value.level(now: now) }
      state.buckets = Dictionary(
        uniqueKeysWithValues: emptiest.prefix(Self.capacity / 2).map { ($0.key, $0.value) })
    }
    state.nextRemoval = max(64, 2 * state.buckets.count)
  }
}
