/// Limits the rate of events, and allows bursts.
struct TokenBucket: Sendable {
  private let rate: Double
  private let burst: Double
  private var tokens: Double
  private var filled: ContinuousClock.Instant

  /// - Parameters:
  ///   - rate: Tokens per second.
  ///   - burst: The maximum number of tokens in the bucket.
  init(rate: Double, burst: Double, now: ContinuousClock.Instant) {
    self.rate = rate
    self.burst = burst
    tokens = burst
    filled = now
  }

  /// Whether the bucket contains the maximum number of tokens.
  func isFull(now: ContinuousClock.Instant) -> Bool {
    tokens + rate * ((now - filled) / .seconds(1)) >= burst
  }

  /// Takes a token, or returns the time until there is one.
  mutating func take(now: ContinuousClock.Instant) -> Duration? {
    tokens = min(burst, tokens + rate * max(0, (now - filled) / .seconds(1)))
    filled = now
    guard tokens < 1 else {
      tokens -= 1
      return nil
    }
    return rate > 0 ? .seconds(min((1 - tokens) / rate, 86_400)) : .seconds(1)
  }
}
