extension AuthSessionService {
  /// A participant that signs out when the account of a ``SessionService`` logs out or changes.
  ///
  /// ```swift
  /// session.add(auth.participant)
  /// try await auth.signIn(token, as: "ada")
  /// try await session.signIn("ada")
  /// ```
  ///
  /// The app stores the token before the session begins. The token stays when the data of the
  /// former account is removed, because it belongs to the new account.
  public nonisolated var participant: SessionParticipant {
    SessionParticipant("token") { [weak self] wipe in
      try await self?.wipe(wipe)
    }
  }
}
