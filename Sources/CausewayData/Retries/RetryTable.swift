/// Which failures are tried again, how often, and which ones reject a mutation.
///
/// ```swift
/// var table = RetryTable.standard
/// table[.conflict] = .retry(limit: 3)
/// ```
public struct RetryTable: Sendable, Hashable {
  /// What to do about a class of failures.
  public enum Rule: Sendable, Hashable {
    /// Tried again after a backoff, until there were so many failures of this class; `nil` for
    /// without end.
    ///
    /// Failures of other classes are not counted, so that a mutation which could not be sent for a
    /// long time has all its attempts left.
    case retry(limit: Int?)
    /// Not retried: the entry becomes a dead letter, and later entries are sent.
    case reject
  }

  /// What to do about one failure.
  package enum Verdict: Sendable, Hashable {
    /// Tried again after a wait.
    case retry(after: Duration)
    /// Refused for good.
    case reject
  }

  /// How long to wait before each new attempt.
  public var backoff: Backoff
  private var rules: [RemoteFailure.Kind: Rule]

  /// Makes a table; classes that are left out are tried again without end.
  public init(backoff: Backoff = Backoff(), rules: [RemoteFailure.Kind: Rule]) {
    self.backoff = backoff
    self.rules = rules
  }

  /// What cannot be the mutation's own fault is tried again without end, other failures a few
  /// times, and what the server has refused never.
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

  /// What to do about a failure.
  ///
  /// A server that names a time is given it, but not beyond the backoff's cap.
  ///
  /// - Parameters:
  ///   - failure: What went wrong.
  ///   - attempts: The attempts so far, with this one; the wait depends on them.
  ///   - failures: The failures of the same class so far, with this one; limits count them. `nil`
  ///     if all attempts failed in the same way.
  ///   - random: From 0 for the shortest wait to 1 for the longest.
  package func verdict(
    on failure: RemoteFailure, attempts: Int, ofSameKind failures: Int? = nil, random: Double
  ) -> Verdict {
    switch self[failure.kind] {
    case .reject: return .reject
    case .retry(let limit?) where failures ?? attempts >= limit: return .reject
    case .retry:
      let delay = backoff.delay(afterAttempts: attempts, random: random)
      return .retry(after: max(delay, min(failure.retryAfter ?? .zero, backoff.cap)))
    }
  }
}
