import CausewayBasics

/// Defines which failed requests are sent again, and after which delay.
///
/// Only requests that are safe to repeat are sent again: those with an idempotent method or an
/// idempotency key.
public struct NetworkRetryPolicy: Sendable, Hashable {
  /// The largest number of times that a request is sent, at least 1.
  public var attempts: Int
  /// The delay after the first failure.
  ///
  /// It doubles after each further failure.
  public var firstDelay: Duration
  /// The upper limit of the delay.
  public var longestDelay: Duration
  /// The longest accepted `Retry-After`.
  ///
  /// If the server asks for a longer wait, the request fails at once.
  public var longestRetryAfter: Duration

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - attempts: The largest number of times that a request is sent.
  ///   - firstDelay: The delay after the first failure. It doubles after each further failure.
  ///   - longestDelay: The upper limit of the delay.
  ///   - longestRetryAfter: The longest accepted `Retry-After`.
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

  /// Returns the delay before the request is sent again; `nil` if it is not sent again.
  ///
  /// - Parameters:
  ///   - failure: The error of the last attempt.
  ///   - attempt: The number of the last attempt, from 1.
  ///   - isRepeatable: Whether the request may be sent again if its outcome is unknown.
  ///   - random: A number from 0 for the shortest delay to 1 for the longest.
  package func delay(
    after failure: NetworkError, attempt: Int, isRepeatable: Bool, random: Double
  ) -> Duration? {
    guard isRepeatable, attempt < attempts, Self.isTransient(failure) else { return nil }
    if let requested = failure.retryAfter, requested > longestRetryAfter { return nil }
    return delay(afterAttempts: attempt, requested: failure.retryAfter, random: random)
  }

  /// The delay after a number of failures in a row.
  ///
  /// - Parameters:
  ///   - attempts: The number of failures in a row, from 1.
  ///   - requested: The delay that the server asked for. The result is never shorter.
  ///   - random: A number from 0 for the shortest delay to 1 for the longest.
  package func delay(
    afterAttempts attempts: Int, requested: Duration?, random: Double
  ) -> Duration {
    if let requested { return requested + firstDelay * random }
    return Backoff(first: firstDelay, longest: longestDelay)
      .delay(afterAttempts: attempts, random: random)
  }

  /// Whether the same request may succeed later.
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
