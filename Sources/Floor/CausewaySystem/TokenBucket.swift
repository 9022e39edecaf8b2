/// Limits the rate of events, and allows bursts.
package struct TokenBucket: Sendable {
  private let rate: Double
  private let burst: Double
  private var tokens: Double
  private var filled: ContinuousClock.Instant

  /// - Parameters:
  ///   - rate: Tokens per second.
  ///   - burst: The maximum number of tokens in the bucket.
  package init(rate: Double, burst: Double, now: ContinuousClock.Instant) {
    self.rate = rate
    self.burst = burst
    tokens = burst
    filled = now
  }

  /// Whether the bucket contains the maximum number of tokens.
  package func isFull(now: ContinuousClock.Instant) -> Bool { level(now: now) >= burst }

  /// The number of tokens in the bucket.
  package func level(now: ContinuousClock.Instant) -> Double {
    min(burst, tokens + rate * max(0, (now - filled) / .seconds(1)))
  }

  /// Takes tokens, or returns the time until there are enough of them.
  ///
  /// - Parameter count: The number of tokens. If the bucket cannot hold so many tokens, a full
  ///   bucket is enough.
  package mutating func take(_ count: Int = 1, now: ContinuousClock.Instant) -> Duration? {
    tokens = level(now: now)
    filled = now
    let wanted = min(Double(count), max(1, burst))
    guard tokens < wanted else {
      tokens -= wanted
      return nil
    }
    return rate > 0 ? .seconds(min((wanted - tokens) / rate, 86_400)) : .seconds(1)
  }
}
