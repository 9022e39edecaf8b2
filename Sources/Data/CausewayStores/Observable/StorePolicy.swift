import CausewayBasics

/// The times after which a store saves, retries, and removes expired values.
public struct StorePolicy: Sendable, Equatable {
  /// The time that the store waits for more changes after a change, before it saves.
  public var debounce: Duration
  /// The longest time between a change and its save, even if more changes follow.
  public var maximumWait: Duration
  /// The pause before a failed load or save is retried; each further pause is twice as long.
  ///
  /// A random part of up to one half is subtracted from each pause.
  public var retryPause: Duration
  /// The longest pause between retries.
  public var longestRetryPause: Duration
  /// The time between removals of expired values.
  public var sweepEvery: Duration

  /// Makes a policy; the default values are intended for the state of an app.
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
