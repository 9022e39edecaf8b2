/// Which failures are tried again, how often, and which ones reject a mutation.
///
/// ```swift
/// var table = RetryTable.standard
/// table[.conflict] = .retry(limit: 3)
/// ```
public struct RetryTable: Sendable, Hashable {
  /// What to do about a class of failures.
  public enum Rule: Sendable, Hashable {
    /// Tried again after a backoff, at most so many attempts in all; `nil` for without end.
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
  ///   - attempts: The attempts so far, with this one.
  ///   - random: From 0 for the shortest wait to 1 for the longest.
  package func verdict(
    on failure: RemoteFailure, attempts: Int, random: Double
  ) -> Verdict {
    switch self[failure.kind] {
    case .reject: return .reject
    case .retry(let limit?) where attempts >= limit: return .reject
    case .retry:
      let delay = backoff.delay(afterAttempts: attempts, random: random)
      return .retry(after: max(delay, min(failure.retryAfter ?? .zero, backoff.cap)))
    }
  }
}
