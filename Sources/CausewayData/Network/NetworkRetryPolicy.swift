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
  ///   - random: From 0 for the shortest wait to 1 for the longest.
  package func delay(
    after failure: NetworkError, attempt: Int, isRepeatable: Bool, random: Double
  ) -> Duration? {
    guard isRepeatable, attempt < attempts, Self.isTransient(failure) else { return nil }
    if let requested = failure.retryAfter, requested > longestRetryAfter { return nil }
    return delay(afterAttempts: attempt, requested: failure.retryAfter, random: random)
  }

  /// The delay after that many failures in a row.
  ///
  /// - Parameters:
  ///   - attempts: The failures in a row, from 1 on.
  ///   - requested: The delay that the server asked for; it is never shortened.
  ///   - random: From 0 for the shortest wait to 1 for the longest.
  package func delay(
    afterAttempts attempts: Int, requested: Duration?, random: Double
  ) -> Duration {
    if let requested { return requested + firstDelay * random }
    return Backoff(first: firstDelay, longest: longestDelay)
      .delay(afterAttempts: attempts, random: random)
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
