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
  /// On Linux nothing more is read until they have been consumed, so that the rest waits at the
  /// server. Elsewhere the connection is given up with more, and resumed then.
  public var waitingLimit = 4 << 20
  /// How long a server may be silent; comments count as signs of life.
  ///
  /// Default: 90 seconds.
  public var silence: Duration = .seconds(90)
  /// The delays between attempts to connect; its number of attempts counts failures in a row.
  ///
  /// Default: without end, beginning with a second and at most 30 seconds apart. The server may
  /// change the first delay.
  public var reconnecting = NetworkRetryPolicy(
    attempts: .max, firstDelay: .seconds(1), longestDelay: .seconds(30),
    longestRetryAfter: .seconds(300))

  /// Makes the default policy.
  public init() {}
}
