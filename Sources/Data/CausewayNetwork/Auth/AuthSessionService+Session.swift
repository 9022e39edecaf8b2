public import CausewayBasics

extension SessionService {
  /// Ends this session and the session of a token together.
  ///
  /// ```swift
  /// session.follow(auth)
  /// try await auth.signIn(token, as: "ada")
  /// try await session.signIn("ada")
  /// ```
  ///
  /// A logout removes the token. If the server refuses the token and its refresh, this service ends
  /// the session, and ``changes()`` yields the end. This end is not a logout: the data of the
  /// account is removed, but its unsent changes stay until the account signs in again. If the
  /// removal fails, the `report` of this service receives the error.
  ///
  /// The app stores the token before the session begins. When the data of the previous account is
  /// removed, the token stays, because it belongs to the new account.
  public func follow(_ auth: AuthSessionService) {
    add(auth.participant)
    auth.onRefusal { [weak self] refusal in
      guard let self, let ticket = current,
        refusal.account == nil || refusal.account == ticket.account
      else { return }
      // `expire` returns after the session has ended, so no caller finds a session without its
      // token.
      expire(ticket)
    }
  }
}

extension AuthSessionService {
  /// A participant that signs out when the account of a session service logs out or changes.
  ///
  /// ``SessionService/follow(_:)`` adds it, and also ends the session when the server refuses the
  /// token. With another implementation of ``SessionServiceProtocol``, add it yourself.
  public nonisolated var participant: SessionParticipant {
    SessionParticipant(
      "token",
      // The server has ended the session, and this session has removed the token. A token in the
      // store belongs to the next session.
      expire: { _ in },
      wipe: { [weak self] wipe in try await self?.wipe(wipe) })
  }
}
