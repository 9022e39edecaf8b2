public import CausewayBasics
import Synchronization

extension ResourceCache {
  /// A participant that empties this cache when the account of a ``SessionService`` logs out.
  ///
  /// ```swift
  /// session.add(pictures.participant)
  /// ```
  ///
  /// - At the end of a session, the cache removes all values in memory and ignores the results of
  ///   running loads. Until the next session begins, callers get ``ResourceError/sessionEnded``. A
  ///   screen that is still open cannot load anything.
  /// - The logout also waits until the disk is empty.
  /// - A sign-in also empties the disk, because files do not name their account, and a process may
  ///   have ended during a logout. Values of a session that
  ///   ``SessionService/init(account:report:)`` restores are kept.
  ///
  /// The session service holds a reference to the cache.
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
