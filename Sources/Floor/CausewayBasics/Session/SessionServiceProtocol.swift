/// The session of the signed-in account, and the removal of its data when it signs out.
public protocol SessionServiceProtocol: Sendable {
  /// The ticket of the current session; `nil` if no account is signed in.
  ///
  /// This never suspends.
  nonisolated var current: SessionTicket? { get }

  /// Yields the current session and then every change, in order and without a gap.
  ///
  /// The stream is registered when this function returns, so it misses no later change. It ends
  /// when the service is released.
  nonisolated func changes() -> AsyncStream<SessionChange>

  /// Adds a participant for the life of the service; calls its `began` if a session is running.
  nonisolated func add(_ participant: SessionParticipant)

  /// Adds a participant until the returned registration is released.
  ///
  /// If a session is running, this calls the participant's `began`.
  nonisolated func join(_ participant: SessionParticipant) -> Registration

  /// Begins a session; ends the previous session, if any, and removes the data of other accounts.
  ///
  /// The unsent changes of another account are kept until that account signs in again.
  ///
  /// - Returns: The session's ticket.
  /// - Throws: `SessionError.superseded` if a logout or another sign-in began in the meantime.
  ///   `SessionError.notWiped` if data of another account could not be removed; no account is
  ///   signed in then. `CancellationError` when the task is cancelled while it waits for other
  ///   sign-ins and logouts.
  @discardableResult
  func signIn(_ account: AccountID) async throws -> SessionTicket

  /// Ends the session, removes its data, and then returns.
  ///
  /// It makes the session's tickets invalid at once, and cancels the session's work. If no account
  /// is signed in, it repeats removals that failed before. It completes even if the task is
  /// cancelled.
  ///
  /// - Throws: `SessionError.notWiped` if data could not be removed, and `SessionError.notErased`
  ///   if files still contain remains of it. Even then no account is signed in.
  func logout() async throws(SessionError)
}
