/// Which failed requests are sent again, and after how long.
///
/// Only requests that are safe to repeat are sent again: those with an idempotent method or an
/// idempotency key.
public struct NetworkRetryPolicy: Sendable, Hashable {
  /// How often a request is sent in all, at least once.
  public var attempts: Int
  /// How long to wait after the first failure; each further one doubles it.
  public var firstDelay: Duration
  /// The longest that the doubling leads to.
  public var longestDelay: Duration
  /// The longest `Retry-After` that is waited for; after a longer one the request fails at once.
  public var longestRetryAfter: Duration

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - attempts: How often a request is sent in all.
  ///   - firstDelay: How long to wait after the first failure; each further one doubles it.
  ///   - longestDelay: The longest that the doubling leads to.
  ///   - longestRetryAfter: The longest `Retry-After` that is waited for.
  public init(
    attempts: Int = 3,
    firstDelay: Duration = .milliseconds(200),
    longestDelay: Duration = .seconds(10),
    longestRetryAfter: Duration = .seconds(30)
  ) {
    self.attempts = attempts
    self.firstDelay = firstDelay
    self.longestDelay = longestDelay
    self.longestRetryAfter = longestRetryAfter
  }

  /// Sends every request once.
  public static let never = NetworkRetryPolicy(attempts: 1)

  /// How long to wait before a request is sent again, `nil` to give up.
  ///
  /// - Parameters:
  ///   - failure: What became of the last attempt.
  ///   - attempt: The number of the last attempt, beginning with 1.
  ///   - isRepeatable: Whether the request may be sent again when its outcome is unknown.
  ///   - random: From 0 up to 1; spreads the clients of a server that failed.
  public func delay(
    after failure: NetworkError, attempt: Int, isRepeatable: Bool, random: Double
  ) -> Duration? {
    guard isRepeatable, attempt < attempts, Self.isTransient(failure) else { return nil }
    if let wanted = failure.retryAfter {
      // Later than asked for is polite, earlier is not.
      return wanted <= longestRetryAfter ? wanted + firstDelay * random : nil
    }
    return delay(attempt: attempt, random: random)
  }

  /// The delay after that many failures in a row, without a wish of the server.
  ///
  /// Between half of the doubled delay and all of it.
  package func delay(attempt: Int, random: Double) -> Duration {
    firstDelay.doubled(attempt - 1, upTo: longestDelay) * (0.5 + random / 2)
  }

  /// Whether the same request may succeed a little later.
  package static func isTransient(_ failure: NetworkError) -> Bool {
    switch failure.kind {
    case .cannotConnect, .connectionLost, .timedOut, .tokenUnavailable:
      true
    case .status:
      failure.status.map { [408, 425, 429, 500, 502, 503, 504].contains($0) } ?? false
    default:
      false
    }
  }
}
