/// When a store saves, tries again and sweeps.
public struct StorePolicy: Sendable, Equatable {
  /// How long after a change the store waits for more of them before it saves.
  public var debounce: Duration
  /// The longest time that a change waits to be saved, also if more changes follow.
  public var maximumWait: Duration
  /// The pause before a failed load or save is repeated, doubled for each further failure.
  ///
  /// A random part of up to one half is taken off.
  public var retryPause: Duration
  /// The longest pause between repetitions.
  public var longestRetryPause: Duration
  /// How often values that have expired are removed.
  public var sweepEvery: Duration

  /// Makes a policy; the defaults suit the state of an app.
  public init(
    debounce: Duration = .milliseconds(500),
    maximumWait: Duration = .seconds(5),
    retryPause: Duration = .seconds(1),
    longestRetryPause: Duration = .seconds(60),
    sweepEvery: Duration = .seconds(30)
  ) {
    self.debounce = debounce
    self.maximumWait = maximumWait
    self.retryPause = retryPause
    self.longestRetryPause = longestRetryPause
    self.sweepEvery = sweepEvery
  }

  var backoff: Backoff { Backoff(first: retryPause, longest: longestRetryPause) }
}
