extension SessionTicket {
  /// Whom the running task works for, if it has said so with ``run(_:)``.
  @TaskLocal package static var runningAccount: AccountID?

  /// Runs work for the ticket's account: its network requests go with a token of this account, or
  /// fail with `NetworkError` of kind `notSignedIn` before anything is sent.
  ///
  /// ```swift
  /// let answer = try await ticket.run { try await network.value(for: endpoint) }
  /// ```
  ///
  /// While another account signs in there is a moment in which the token is the new one's already
  /// and the session still the old one's. Checking the ticket afterwards is too late then: the
  /// server has done in the name of one account what another one wanted. Readers, writers, outboxes
  /// and engines run their requests in this way.
  ///
  /// Counts for the child tasks of the work, too. Tokens whose account is not known go through.
  ///
  /// - Parameter work: What to do.
  /// - Returns: What the work returns.
  public nonisolated(nonsending) func run<Value>(
    _ work: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value {
    try await Self.$runningAccount.withValue(account) { try await work() }
  }
}

extension SessionTicket? {
  /// Runs work for the ticket's account, or unchanged in an app without accounts.
  nonisolated(nonsending) func run<Value>(
    _ work: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value {
    guard let self else { return try await work() }
    return try await self.run(work)
  }
}
