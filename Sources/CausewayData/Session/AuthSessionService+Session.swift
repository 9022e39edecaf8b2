extension AuthSessionService {
  /// A participant that signs this session out when its account logs out or another one signs in.
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
