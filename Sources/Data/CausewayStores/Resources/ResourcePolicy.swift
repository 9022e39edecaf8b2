import CausewayBasics

/// The limits of a cache, and the times for which it uses its values.
public struct ResourcePolicy: Sendable, Equatable {
  /// The time for which a value is fresh: it is returned without a request for a newer one.
  public var freshFor: Duration
  /// The time after `freshFor` for which a stale value is returned while a newer one is loaded.
  public var staleFor: Duration

  /// The allowed range for the server's times of freshness; `nil` to ignore these times.
  ///
  /// With `.zero ... .seconds(86_400)`, for example, a value with `Cache-Control: max-age=60` is
  /// fresh for a minute in place of `freshFor`. A time outside the range is replaced by the nearest
  /// time in the range.
  public var serverFreshness: ClosedRange<Duration>?

  /// The most memory that the values may use, in bytes, including the cache's own overhead.
  public var memoryBytes: Int
  /// The largest number of values in memory.
  public var memoryCount: Int

  /// The number of loads that run at the same time; other loads wait.
  public var parallelLoads: Int
  /// The number of retries of a failing load before it counts as failed.
  ///
  /// Loads that fail with a `NetworkError` are not retried: see ``isTransient(_:)``.
  public var retries: Int
  /// The pause before the first retry; each further pause is twice as long.
  ///
  /// A random part of up to one half is subtracted from each pause. Otherwise all clients would
  /// retry at the same time.
  public var retryPause: Duration
  /// The longest pause between retries.
  public var longestRetryPause: Duration
  /// The time after a failed load during which only `refresh(_:)` loads the key again.
  public var failureCoolDown: Duration
  /// The largest number of failed keys that are kept.
  public var failureCount: Int

  /// The interval of removing values that are too old; `nil` to remove them only to free memory.
  public var sweepEvery: Duration?

  /// Makes a policy; the default values are intended for pictures and profiles.
  public init(
    freshFor: Duration = .seconds(300),
    staleFor: Duration = .seconds(86_400),
    serverFreshness: ClosedRange<Duration>? = nil,
    memoryBytes: Int = 50_000_000,
    memoryCount: Int = 100_000,
    parallelLoads: Int = 6,
    retries: Int = 2,
    retryPause: Duration = .milliseconds(200),
    longestRetryPause: Duration = .seconds(10),
    failureCoolDown: Duration = .seconds(30),
    failureCount: Int = 1_000,
    sweepEvery: Duration? = .seconds(600)
  ) {
    self.freshFor = freshFor
    self.staleFor = staleFor
    self.serverFreshness = serverFreshness
    self.memoryBytes = memoryBytes
    self.memoryCount = memoryCount
    self.parallelLoads = parallelLoads
    self.retries = retries
    self.retryPause = retryPause
    self.longestRetryPause = longestRetryPause
    self.failureCoolDown = failureCoolDown
    self.failureCount = failureCount
    self.sweepEvery = sweepEvery
  }
}

extension ResourcePolicy {
  /// Whether a cache retries a failed load, unless its creator passes another function.
  ///
  /// - A `NetworkError` is not repeated. The network service has already repeated the request as
  ///   often as its ``NetworkRetryPolicy`` allows. Repetitions by the cache would multiply the
  ///   requests.
  /// - An error that the server would return again is not repeated: a refusal, a conflict, or a
  ///   response that cannot be decoded. ``RemoteFailure/init(_:)`` classifies the error.
  /// - Any other error is repeated.
  public static func isTransient(_ error: any Error) -> Bool {
    if error is any RetriedFailure { return false }
    switch RemoteFailure(error).kind {
    case .unauthorized, .rejected, .conflict, .garbled, .unsendable, .dependencyFailed: return false
    case .unreachable, .timedOut, .busy, .serverFault, .unknown: return true
    }
  }

  /// The time for which a value is fresh.
  ///
  /// - Parameter server: The time for which the server calls it fresh.
  func freshFor(_ server: Duration?) -> Duration {
    guard let server, let allowed = serverFreshness else { return freshFor }
    return min(max(server, allowed.lowerBound), allowed.upperBound)
  }

  var backoff: Backoff { Backoff(first: retryPause, longest: longestRetryPause) }
}
