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

  /// The wait after a number of failures: between `1 - jitter` times the full wait and all of it.
  ///
  /// - Parameters:
  ///   - attempts: The failures in a row, from 1 on.
  ///   - random: What chance says, at least 0 and less than 1.
  /// - Complexity: O(log(cap / initial)), however many failures there were.
  public func delay(afterAttempts attempts: Int, random: Double) -> Duration {
    let full = initial.doubled(attempts - 1, upTo: cap)
    return full - full * (jitter * min(max(random, 0), 1))
  }
}
