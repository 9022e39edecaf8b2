import CausewayNetwork

/// The state machine of an event stream's connections: it gets events and returns the next step.
struct EventReconnection {
  enum Step: Equatable {
    /// Send the request, with the id of the last event if there is one.
    case connect
    /// Read from the connection.
    case read
    /// Get another token, then connect.
    case refresh
    /// Connect after a delay.
    case wait(Duration)
    /// The stream has ended permanently.
    case finish
    /// The stream has failed permanently.
    case fail(NetworkError)
  }

  /// The shortest delay, for servers that request no delay and close the connection at once.
  static let shortestDelay: Duration = .milliseconds(50)

  private var policy: NetworkRetryPolicy
  /// Whether the stream connects again; otherwise the first loss of the connection ends it.
  private let isAllowed: Bool
  /// Whether the server has set the delay before reconnecting.
  private var hasReconnectionTime = false
  /// The number of connections in a row without an event.
  private(set) var failures = 0
  private var hasRefreshed = false

  init(_ policy: NetworkRetryPolicy, isAllowed: Bool = true) {
    self.policy = policy
    self.isAllowed = isAllowed
  }

  /// The server has responded.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - failure: The error, if the status is not a success.
  ///   - sentToken: Whether the request was sent with a token.
  ///   - random: A number from 0 to 1, excluding 1.
  mutating func opened(
    _ response: NetworkResponse, failure: NetworkError?, sentToken: Bool, random: Double
  ) -> Step {
    switch response.status {
    case 204:
      // With this status, the server ends the stream permanently.
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

  /// There is no token for the connection, temporarily or permanently.
  mutating func gotNoToken(_ failure: NetworkError, random: Double) -> Step {
    // The next attempt sends the refused token again. If the server refuses it again, the token may
    // be refreshed then.
    hasRefreshed = false
    return closed(failure, random: random)
  }

  /// An event has arrived, so the connection works.
  mutating func received() {
    failures = 0
  }

  /// The server has set the delay before reconnecting.
  mutating func setReconnectionTime(_ time: Duration) {
    policy.firstDelay = min(max(time, Self.shortestDelay), policy.longestRetryAfter)
    policy.longestDelay = max(policy.longestDelay, policy.firstDelay)
    hasReconnectionTime = true
  }

  /// The connection has ended.
  ///
  /// - Parameters:
  ///   - failure: The error; `nil` if the server has closed the connection normally.
  ///   - random: A number from 0 for the shortest wait to 1 for the longest.
  mutating func closed(_ failure: NetworkError?, random: Double) -> Step {
    let failure =
      failure ?? NetworkError(.connectionLost, message: "the server closed the event stream")
    failures += 1
    guard failure.kind == .notConnected || NetworkRetryPolicy.isTransient(failure),
      failures < policy.attempts, isAllowed
    else {
      var last = failure
      last.attempts = failures
      if last.retryAfter == nil, hasReconnectionTime { last.retryAfter = policy.firstDelay }
      return .fail(last)
    }
    let requested = failure.retryAfter.map { min($0, policy.longestRetryAfter) }
    return .wait(policy.delay(afterAttempts: failures, requested: requested, random: random))
  }
}
