public import CausewayData

/// The limits of event streams, and when they reconnect.
public struct EventStreamPolicy: Sendable, Hashable {
  /// The largest line and the largest content of one event, in bytes.
  ///
  /// Default: 1 MiB.
  public var eventLimit = 1 << 20
  /// How many bytes may wait for a slow consumer.
  ///
  /// Default: 4 MiB.
  ///
  /// When more bytes arrive, the service on Linux stops reading until the consumer has caught up.
  /// On other systems it closes the connection and resumes the stream later.
  public var waitingLimit = 4 << 20
  /// How long a server may be silent.
  ///
  /// Comments count as activity.
  ///
  /// Default: 90 seconds.
  public var silence: Duration = .seconds(90)
  /// The delays between attempts to connect.
  ///
  /// Its number of attempts limits successive failures.
  ///
  /// Default: no limit of attempts; the delay begins at 1 second and grows to 30 seconds. The
  /// server may change the first delay.
  public var reconnecting = NetworkRetryPolicy(
    attempts: .max, firstDelay: .seconds(1), longestDelay: .seconds(30),
    longestRetryAfter: .seconds(300))

  /// Makes the default policy.
  public init() {}
}
