public import CausewayNetwork

/// The limits of event streams, and when they reconnect.
public struct EventStreamPolicy: Sendable, Hashable {
  /// The largest line and the largest content of one event, in bytes.
  ///
  /// Default: 1 MiB.
  public var eventLimit = 1 << 20
  /// The largest number of bytes that wait for a slow consumer.
  ///
  /// Default: 4 MiB.
  ///
  /// Above this number, the service on Linux stops reading until the consumer has caught up. On
  /// other systems it closes the connection and resumes the stream later.
  public var waitingLimit = 4 << 20
  /// The longest time without data from the server.
  ///
  /// Comments count as activity. A server that sends comments regularly can announce their interval
  /// in seconds, in the field `heartbeat-interval` of its response, as `CausewayWeb` does. Then a
  /// shorter limit applies: two intervals and two seconds.
  ///
  /// Default: 90 seconds.
  public var silence: Duration = .seconds(90)
  /// The longest time until the server begins its response.
  ///
  /// Default: 15 seconds.
  public var connecting: Duration = .seconds(15)
  /// The delays between attempts to connect.
  ///
  /// The policy's number of attempts limits the failures in a row.
  ///
  /// Default: no limit of attempts; the delay begins at 1 second and grows to 15 seconds. The
  /// server can change the first delay.
  public var reconnecting = NetworkRetryPolicy(
    attempts: .max, firstDelay: .seconds(1), longestDelay: .seconds(15),
    longestRetryAfter: .seconds(300))

  /// Makes the default policy.
  public init() {}

  /// The longest time without data after a response.
  func silence(after response: NetworkResponse) -> Duration {
    guard let field = response.headers["heartbeat-interval"], let seconds = Double(field),
      (0.1...3_600).contains(seconds)
    else { return silence }
    return min(silence, .seconds(2 * seconds + 2))
  }
}
