/// How long to wait before another attempt: twice as long each time, up to a limit, and spread out
/// so that clients which failed together do not come back together.
public struct Backoff: Sendable, Hashable {
  /// The wait after the first failure, before it is spread.
  public var initial: Duration
  /// The longest wait.
  public var cap: Duration
  /// How much of a wait is left to chance, from 0 to 1.
  public var jitter: Double

  /// Makes a backoff.
  ///
  /// - Parameters:
  ///   - initial: The wait after the first failure; more than zero.
  ///   - cap: The longest wait; at least `initial`.
  ///   - jitter: How much of a wait is left to chance, from 0 to 1.
  public init(
    initial: Duration = .seconds(1), cap: Duration = .seconds(300), jitter: Double = 0.5
  ) {
    precondition(initial > .zero && cap >= initial, "0 < initial <= cap does not hold.")
    precondition((0...1).contains(jitter), "The jitter has to be from 0 to 1.")
    self.initial = initial
    self.cap = cap
    self.jitter = jitter
  }

  /// The waits of a policy whose durations are not checked; up to one half is left to chance.
  ///
  /// - Parameters:
  ///   - first: The wait after the first failure; zero or less for the same wait each time.
  ///   - longest: The longest wait, also when it is shorter than `first`.
  init(first: Duration, longest: Duration) {
    initial = first
    cap = longest
    jitter = 0.5
  }

  /// The wait after a number of failures: between `1 - jitter` times the full wait and all of it.
  ///
  /// - Parameters:
  ///   - attempts: The failures in a row, from 1 on.
  ///   - random: 0 for the shortest wait, 1 for the longest, and evenly spread between them.
  /// - Complexity: O(log(cap / initial)), however many failures there were.
  package func delay(afterAttempts attempts: Int, random: Double) -> Duration {
    fullDelay(afterAttempts: attempts) * (1 - jitter * (1 - min(max(random, 0), 1)))
  }

  /// The wait after a number of failures, before it is spread.
  private func fullDelay(afterAttempts attempts: Int) -> Duration {
    var delay = initial
    guard delay > .zero else { return min(delay, cap) }
    var doublings = attempts - 1
    while doublings > 0, delay < cap {
      delay *= 2
      doublings -= 1
    }
    return min(delay, cap)
  }
}
