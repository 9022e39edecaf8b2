import CausewayData

/// When an event stream connects again, as a value: it is told what happens and names the next
/// step.
struct EventReconnection {
  enum Step: Equatable {
    /// Send the request, after the last event if there was one.
    case connect
    /// Read what arrives.
    case read
    /// Get another token, then connect.
    case refresh
    /// Connect after that time.
    case wait(Duration)
    /// The stream has ended for good.
    case finish
    /// The stream has failed for good.
    case fail(NetworkError)
  }

  /// A server that asks for no delay and closes at once is not asked without pause.
  static let shortestDelay: Duration = .milliseconds(50)

  private var policy: NetworkRetryPolicy
  /// Connections in a row without an event.
  private(set) var failures = 0
  private var hasRefreshed = false

  init(_ policy: NetworkRetryPolicy) {
    self.policy = policy
  }

  /// The server has answered.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - failure: What its status means if it is not a success.
  ///   - sentToken: Whether a token went with the request.
  mutating func opened(
    _ response: NetworkResponse, failure: NetworkError?, sentToken: Bool, random: Double
  ) -> Step {
    switch response.status {
    case 204:
      // The server's way to say that there will be nothing more.
      return .finish
    case 200 where response.mediaType == "text/event-stream":
      hasRefreshed = false
      return .read
    case 200...299:
      return .fail(
        NetworkError(
          .contentType,
          message: "the server answered \(response.status) with \""
            + "\(response.mediaType)\" instead of an event stream", status: response.status))
    case 401 where sentToken && !hasRefreshed:
      hasRefreshed = true
      return .refresh
    default:
      let failure = failure ?? NetworkError(.status, message: "the server refused the stream")
      return closed(failure, random: random)
    }
  }

  /// There is no token to connect with, this time or for good.
  mutating func gotNoToken(_ failure: NetworkError, random: Double) -> Step {
    // The refused token is sent again, and may be replaced then.
    hasRefreshed = false
    return closed(failure, random: random)
  }

  /// An event has arrived: the connection works.
  mutating func received() {
    failures = 0
  }

  /// The server has said how long to wait before reconnecting.
  mutating func setReconnectionTime(_ time: Duration) {
    policy.firstDelay = min(max(time, Self.shortestDelay), policy.longestRetryAfter)
    policy.longestDelay = max(policy.longestDelay, policy.firstDelay)
  }

  /// The connection has ended.
  ///
  /// - Parameters:
  ///   - failure: Why, `nil` if the server has closed it in order.
  ///   - random: From 0 for the shortest wait to 1 for the longest.
  mutating func closed(_ failure: NetworkError?, random: Double) -> Step {
    let failure =
      failure ?? NetworkError(.connectionLost, message: "the server closed the event stream")
    failures += 1
    guard failure.kind == .notConnected || NetworkRetryPolicy.isTransient(failure),
      failures < policy.attempts
    else {
      var last = failure
      last.attempts = failures
      return .fail(last)
    }
    let requested = failure.retryAfter.map { min($0, policy.longestRetryAfter) }
    return .wait(policy.delay(afterAttempts: failures, requested: requested, random: random))
  }
}
