/// The signed-in account, and the removal of its data when it signs out.
public protocol SessionServiceProtocol: Sendable {
  /// The ticket of the current session; `nil` if no account is signed in.
  ///
  /// Never suspends.
  nonisolated var current: SessionTicket? { get }

  /// The session as it is, and then every change, in order and without a gap.
  ///
  /// Registered when this returns: no later change is missed, even before iteration begins. Ends
  /// when the service goes away.
  nonisolated func changes() -> AsyncStream<SessionChange>

  /// Adds a participant for as long as the service lives, and tells it about a running session.
  nonisolated func add(_ participant: SessionParticipant)

  /// Adds a participant until the returned registration goes away, and tells it about a running
  /// session.
  nonisolated func join(_ participant: SessionParticipant) -> Registration

  /// Begins a session; ends the one before, if there is one, as `logout` does.
  ///
  /// - Returns: The session's ticket.
  /// - Throws: `SessionError.superseded` if a logout or another sign-in came meanwhile;
  ///   `SessionError.notWiped` if data of another account could not be removed. No account is signed in
  ///   then. `CancellationError` when the task is cancelled while others sign in or out.
  @discardableResult
  func signIn(_ account: AccountID) async throws -> SessionTicket

  /// Ends the session: voids its tickets at once, cancels its work, wipes its data, and returns
  /// when that is done. Without a session it tries again what could not be wiped before.
  ///
  /// Goes on to its end even if the task is cancelled.
  ///
  /// - Throws: `SessionError.notWiped`; no account is signed in then either.
  func logout() async throws(SessionError)
}
