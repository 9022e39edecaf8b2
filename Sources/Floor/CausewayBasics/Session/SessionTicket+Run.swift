extension SessionTicket {
  /// The account that the current task works for, if ``run(_:)`` has started it.
  @TaskLocal package static var runningAccount: AccountID?

  /// Runs work for the ticket's account.
  ///
  /// Network requests of the work use a token of this account. If there is no such token, they fail
  /// with a `NetworkError` of kind `notSignedIn` before anything is sent.
  ///
  /// ```swift
  /// let answer = try await ticket.run { try await network.value(for: endpoint) }
  /// ```
  ///
  /// While another account signs in, there is a moment in which the token belongs to the new
  /// account and the session to the old one. A check of the ticket after the request is too late,
  /// because the server has already made the change for the wrong account. Readers, writers,
  /// outboxes and engines use this method for their requests.
  ///
  /// The child tasks of the work inherit the account. A token without a known account is not
  /// checked.
  ///
  /// - Parameter work: The work to run.
  /// - Returns: The result of the work.
  public nonisolated(nonsending) func run<Value>(
    _ work: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value {
    try await Self.$runningAccount.withValue(account) { try await work() }
  }
}

extension SessionTicket? {
  /// Runs work for the ticket's account.
  ///
  /// In an app without accounts, this only runs the work.
  package nonisolated(nonsending) func run<Value>(
    _ work: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value {
    guard let self else { return try await work() }
    return try await self.run(work)
  }
}
