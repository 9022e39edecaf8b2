/// Defines which failures are retried, how often, and which failures reject a mutation.
///
/// ```swift
/// var table = RetryTable.standard
/// table[.conflict] = .retry(limit: 3)
/// ```
public struct RetryTable: Sendable, Hashable {
  /// The rule for a class of failures.
  public enum Rule: Sendable, Hashable {
    /// Retried after a wait, up to a number of failures of this class; `nil` for no limit.
    ///
    /// Failures of other classes do not count. So a mutation that could not be sent for a long time
    /// still has all its attempts.
    case retry(limit: Int?)
    /// Not retried: the entry becomes a dead letter, and later entries are sent.
    case reject
  }

  /// The decision about one failure.
  package enum Verdict: Sendable, Hashable {
    /// Retry after a wait.
    case retry(after: Duration)
    /// Reject permanently.
    case reject
  }

  /// The waits before new attempts.
  public var backoff: Backoff
  /// The longest wait after a failure to reach the server, if the backoff's cap is longer.
  ///
  /// A person may look at the app at any time, and expects it to notice that the server is back. A
  /// server that answers can request longer waits, up to the backoff's cap. Default: 15 seconds.
  public var unreachableCap: Duration = .seconds(15)
  private var rules: [RemoteFailure.Kind: Rule]

  /// Makes a table; classes without a rule are retried without a limit.
  public init(backoff: Backoff = Backoff(), rules: [RemoteFailure.Kind: Rule]) {
    self.backoff = backoff
    self.rules = rules
  }

  /// The default table.
  ///
  /// Failures that the mutation cannot have caused are retried without a limit. Other failures are
  /// retried a few times. A refusal by the server is not retried.
  public static let standard = RetryTable(rules: [
    .unreachable: .retry(limit: nil),
    .timedOut: .retry(limit: nil),
    .busy: .retry(limit: nil),
    .serverFault: .retry(limit: nil),
    .unauthorized: .retry(limit: nil),
    .garbled: .retry(limit: 10),
    .unknown: .retry(limit: 10),
    .rejected: .reject,
    .conflict: .reject,
    .unsendable: .reject,
    .dependencyFailed: .reject,
  ])

  /// The rule for a class of failures.
  public subscript(kind: RemoteFailure.Kind) -> Rule {
    get { rules[kind] ?? .retry(limit: nil) }
    set { rules[kind] = newValue }
  }

  /// Returns the decision about a failure.
  ///
  /// If the server asks for a longer wait, that wait is used, up to the backoff's cap.
  ///
  /// - Parameters:
  ///   - failure: The failure.
  ///   - attempts: The number of attempts so far, including this one. It determines the wait.
  ///   - failures: The number of failures of the same class so far, including this one. Limits
  ///     apply to it. `nil` if all attempts failed in the same way.
  ///   - random: A number from 0 for the shortest wait to 1 for the longest.
  package func verdict(
    on failure: RemoteFailure, attempts: Int, ofSameKind failures: Int? = nil, random: Double
  ) -> Verdict {
    switch self[failure.kind] {
    case .reject: return .reject
    case .retry(let limit?) where failures ?? attempts >= limit: return .reject
    case .retry:
      var backoff = backoff
      backoff.cap = longestWait(isLost: failure.isLoss)
      let delay = backoff.delay(afterAttempts: attempts, random: random)
      return .retry(after: max(delay, min(failure.retryAfter ?? .zero, self.backoff.cap)))
    }
  }

  /// The longest wait, unless the server asks for a longer one.
  ///
  /// - Parameter isLost: Whether the server could not be reached.
  package func longestWait(isLost: Bool) -> Duration {
    isLost ? max(backoff.initial, min(backoff.cap, unreachableCap)) : backoff.cap
  }
}
