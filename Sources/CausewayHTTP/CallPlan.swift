import CausewayData

/// The state machine of a call: takes the error of each attempt and returns the next step.
struct CallPlan {
  enum Step: Equatable {
    /// End the call with an error.
    case fail(NetworkError)
    /// Get another token, because the server refused the current one, and send again.
    case refresh
    /// Send again after a delay.
    case wait(Duration)
  }

  let retry: NetworkRetryPolicy
  let isRepeatable: Bool
  /// The deadline of the whole call, by the clock.
  let end: Duration?
  /// The number of the current attempt, from 1.
  ///
  /// The repetition after a refresh does not count.
  private(set) var attempt = 1
  private var hasRefreshed = false

  init(retry: NetworkRetryPolicy, isRepeatable: Bool, end: Duration?) {
    self.retry = retry
    self.isRepeatable = isRepeatable
    self.end = end
  }

  /// Returns the next step after a failed attempt.
  ///
  /// - Parameters:
  ///   - failure: Why the attempt failed.
  ///   - sentToken: Whether a token went with it.
  ///   - time: The time now, by the clock.
  ///   - random: From 0 for the shortest wait to 1 for the longest.
  mutating func next(
    after failure: NetworkError, sentToken: Bool, at time: Duration, random: Double
  ) -> Step {
    var failure = failure
    // A 401 means that the server did nothing, so sending again is safe for every method.
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
