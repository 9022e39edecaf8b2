extension AuthSessionService {
  /// Has a ``SessionService`` sign this session out when its account leaves.
  ///
  /// ```swift
  /// session.add(auth.participant)
  /// ```
  public nonisolated var participant: SessionParticipant {
    SessionParticipant("token") { [weak self] wipe in
      // A sign-in has stored its own token, in place of any other, before it begins the session.
      if case .only = wipe { try await self?.signOut() }
    }
  }
}
