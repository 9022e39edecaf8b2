/// How long a cache trusts its values, and how much it may use.
public struct ResourcePolicy: Sendable, Equatable {
  /// How long a value is returned without a request for a newer one.
  public var freshFor: Duration
  /// How long after that a value is still returned while a newer one is loaded in the background.
  public var staleFor: Duration

  /// How much memory the values may use, in bytes, including the cache's own overhead.
  public var memoryBytes: Int
  /// How many values are kept in memory.
  public var memoryCount: Int

  /// How many loads run at the same time; others wait.
  public var parallelLoads: Int
  /// How often a failing load is retried before it counts as failed.
  public var retries: Int
  /// The pause before the first retry, doubled for each further one.
  ///
  /// Each pause is shortened at random by up to one half, so that clients do not retry all at once.
  public var retryPause: Duration
  /// The longest pause between retries.
  public var longestRetryPause: Duration
  /// How long after a failed load a key is not loaded again, unless by `refresh(_:)`.
  public var failureCoolDown: Duration
  /// How many failed keys are remembered.
  public var failureCount: Int

  /// How often values that are too old are removed; `nil` for only when memory is needed.
  public var sweepEvery: Duration?

  /// Makes a policy; the defaults suit pictures and profiles.
  public init(
    freshFor: Duration = .seconds(300),
    staleFor: Duration = .seconds(86_400),
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
  /// How old a value may be to be returned at all.
  var usableFor: Duration { freshFor + staleFor }

  var backoff: Backoff { Backoff(first: retryPause, longest: longestRetryPause) }
}
