import CausewayData

/// What a call does after each failed attempt, as a value: it is told why and names the next step.
struct CallPlan {
  enum Step: Equatable {
    /// The call has failed.
    case fail(NetworkError)
    /// The server refuses the token: get another one and send again.
    case refresh
    /// Send again after that time.
    case wait(Duration)
  }

  let retry: NetworkRetryPolicy
  let isRepeatable: Bool
  /// When the whole call has to be done, by the clock.
  let end: Duration?
  /// The number of the current attempt, from 1; the repetition after a refresh is not counted.
  private(set) var attempt = 1
  private var hasRefreshed = false

  init(retry: NetworkRetryPolicy, isRepeatable: Bool, end: Duration?) {
    self.retry = retry
    self.isRepeatable = isRepeatable
    self.end = end
  }

  /// The next step after a failed attempt.
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
    // A 401 says that nothing was done: sending again is safe for every method.
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
