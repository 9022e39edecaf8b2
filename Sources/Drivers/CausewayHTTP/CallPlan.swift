import CausewayNetwork

/// The state machine of a call: it gets the error of each attempt and returns the next step.
struct CallPlan {
  enum Step: Equatable {
    /// End the call with an error.
    case fail(NetworkError)
    /// Get another token, because the server refused the current one, and send the request again.
    case refresh
    /// Send the request again after a delay.
    case wait(Duration)
  }

  let retry: NetworkRetryPolicy
  let isRepeatable: Bool
  /// The deadline of the whole call, measured by the clock.
  let end: Duration?
  /// The number of the current attempt, from 1.
  ///
  /// A repetition after a token refresh does not count.
  private(set) var attempt = 1
  private var hasRefreshed = false

  init(retry: NetworkRetryPolicy, isRepeatable: Bool, end: Duration?) {
    self.retry = retry
    self.isRepeatable = isRepeatable
    self.end = end
  }

  /// Restarts the count of attempts after an attempt that received a part of a download.
  mutating func noteProgress() { attempt = 1 }

  /// Returns the next step after a failed attempt.
  ///
  /// - Parameters:
  ///   - failure: The error of the attempt.
  ///   - sentToken: Whether the request was sent with a token.
  ///   - time: The current time, measured by the clock.
  ///   - random: A number from 0 for the shortest wait to 1 for the longest.
  mutating func next(
    after failure: NetworkError, sentToken: Bool, at time: Duration, random: Double
  ) -> Step {
    var failure = failure
    // A status 401 means that the server did nothing, so every method can be sent again.
    if failure.status == 401, failure.kind == .status, sentToken, !hasRefreshed {
      hasRefreshed = true
      return .refresh
    }
    failure.attempts = attempt
    guard
      let delay = retry.delay(
        after: failure, attempt: attempt, isRepeatable: isRepeatable, random: random)
    else { return .fail(failure) }
    if let end, time + delay >= end { return .fail(failure) }
    attempt += 1
    return .wait(delay)
  }
}
