extension AuthSessionService {
  /// Has a ``SessionService`` sign this session out when its account leaves, or another one comes.
  ///
  /// ```swift
  /// session.add(auth.participant)
  /// try await auth.signIn(token, as: "ada")
  /// try await session.signIn("ada")
  /// ```
  ///
  /// The token is stored before the session begins. It stays when the data of the account before
  /// is wiped, because it belongs to another one.
  public nonisolated var participant: SessionParticipant {
    SessionParticipant("token") { [weak self] wipe in
      try await self?.wipe(wipe)
    }
  }
}
