public import CausewayBasics
import Synchronization

extension ObservableStore {
  /// A participant that empties this store when the account of a ``SessionService`` logs out.
  ///
  /// ```swift
  /// session.add(drafts.participant)
  /// ```
  ///
  /// - From the end of a session until the next one begins, the store refuses changes and reports
  ///   ``StoreFailure/sessionEnded``. A screen that is still open cannot restore values.
  /// - The logout also waits until the backing is empty. This includes values that were not loaded
  ///   yet, values of a closed store, and damaged values that were set aside.
  /// - A sign-in also removes all values, because values do not name their account, and a process
  ///   may have ended during a logout. Values of a session that
  ///   ``SessionService/init(account:report:)`` restores are kept.
  ///
  /// The session service holds a reference to the store.
  public nonisolated var participant: SessionParticipant {
    SessionParticipant(
      "store of \(Value.self)",
      began: { ticket in self.gate.withLock { $0.began(ticket) } },
      ended: { ticket in self.gate.withLock { _ = $0.ended(ticket) } },
      erase: { wipe in try await self.backing.erase(after: wipe) },
      wipe: { wipe in try await self.wipe(wipe) })
  }

  /// Sets the value of a key as ``subscript(_:)`` does, if the session of a ticket is current.
  ///
  /// Use it for work that begins in one session and may end in a later one, such as a request.
  ///
  /// - Parameters:
  ///   - value: The value; `nil` to remove it.
  ///   - key: The key of the value.
  ///   - ticket: The ticket of the session in which the work began.
  /// - Throws: `SessionError.ended`. In this case nothing is changed.
  public func set(_ value: Value?, for key: Key, as ticket: SessionTicket) throws(SessionError) {
    try ticket.check()
    self[key] = value
  }

  private func wipe(_ wipe: SessionParticipant.Wipe) async throws {
    // An earlier change that was allowed is complete, because changes run on the same actor.
    gate.withLock { $0.shut() }
    removeEverything()
    try await backing.willRemoveAll(for: wipe)
    try await flush()
    try await backing.removeDamaged()
  }
}
