import Synchronization

extension ResourceCache {
  /// Has a ``SessionService`` empty this cache when its account leaves.
  ///
  /// ```swift
  /// session.add(pictures.participant)
  /// ```
  ///
  /// - At the end of a session everything in memory is gone at once, loads under way come to
  ///   nothing, and whoever asks gets ``ResourceError/sessionEnded``, until the next session
  ///   begins. A screen that is still there brings nothing back.
  /// - The logout waits until the disk is empty too.
  /// - A sign-in empties the disk as well: files do not say whose they are, and a process may have
  ///   ended in the middle of a logout. A session that goes on after a start, which
  ///   ``SessionService/init(account:)`` is told, keeps them.
  ///
  /// The session holds the cache.
  public var participant: SessionParticipant {
    SessionParticipant(
      "cache of \(Value.self)",
      began: { ticket in self.state.withLock { $0.gate.began(ticket) } },
      ended: { ticket in
        let aftermath = self.state.withLock { state in
          var aftermath = CacheState<Key, Value>.Aftermath()
          aftermath.answer = .failure(ResourceError.sessionEnded)
          if state.gate.ended(ticket) { state.removeAll(&aftermath) }
          return aftermath
        }
        aftermath.perform()
      },
      wipe: { _ in
        self.state.withLock { $0.gate.shut() }
        try await self.removeAll()
      })
  }
}
