/// The waits between attempts, which double up to a limit and have a random part.
public struct Backoff: Sendable, Hashable {
  /// The wait after the first failure, without its random part.
  public var initial: Duration
  /// The longest wait.
  public var cap: Duration
  /// The largest part of a wait that is random, from 0 to 1.
  public var jitter: Double

  /// Makes a backoff.
  ///
  /// - Parameters:
  ///   - initial: The wait after the first failure; more than zero.
  ///   - cap: The longest wait; at least `initial`.
  ///   - jitter: The largest part of a wait that is random, from 0 to 1.
  public init(
    initial: Duration = .seconds(1), cap: Duration = .seconds(300), jitter: Double = 0.5
  ) {
    precondition(initial > .zero && cap >= initial, "0 < initial <= cap does not hold.")
    precondition((0...1).contains(jitter), "The jitter has to be from 0 to 1.")
    self.initial = initial
    self.cap = cap
    self.jitter = jitter
  }

  /// Makes the waits of a policy without checking its durations; up to one half is random.
  ///
  /// - Parameters:
  ///   - first: The wait after the first failure. If it is zero or less, all waits are equal.
  ///   - longest: The longest wait, even if it is shorter than `first`.
  package init(first: Duration, longest: Duration) {
    initial = first
    cap = longest
    jitter = 0.5
  }

  /// The wait after some failures: from `1 - jitter` times the full wait to the full wait.
  ///
  /// - Parameters:
  ///   - attempts: The number of failures in a row, from 1.
  ///   - random: A number from 0 for the shortest wait to 1 for the longest, evenly distributed.
  ///     Without it, the wait has no random part.
  /// - Complexity: O(log(cap / initial)), for any number of failures.
  public func delay(afterAttempts attempts: Int, random: Double = 1) -> Duration {
    fullDelay(afterAttempts: attempts) * (1 - jitter * (1 - min(max(random, 0), 1)))
  }

  /// The wait after a number of failures, without its random part.
  private func fullDelay(afterAttempts attempts: Int) -> Duration {
    var delay = initial
    guard delay > .zero else { return min(delay, cap) }
    var doublings = max(attempts, 1) - 1
    while doublings > 0, delay < cap {
      delay *= 2
      doublings -= 1
    }
    return min(delay, cap)
  }
}
