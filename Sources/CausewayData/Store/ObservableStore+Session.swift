import Synchronization

extension ObservableStore {
  /// Has a ``SessionService`` remove all values of this store when its account leaves.
  ///
  /// ```swift
  /// session.add(drafts.participant)
  /// ```
  ///
  /// - From the end of a session until the next one begins, changes are refused and reported as
  ///   ``StoreFailure/sessionEnded``. A screen that is still there brings nothing back.
  /// - The logout waits until all values are removed from the backing too, also those that were
  ///   not loaded yet, those of a closed store, and those that were set aside as damaged.
  /// - A sign-in removes what there is as well: values do not say whose they are, and a process
  ///   may have ended in the middle of a logout. A session that
  ///   ``SessionService/init(account:)`` restores keeps them.
  ///
  /// The session holds the store.
  public nonisolated var participant: SessionParticipant {
    SessionParticipant(
      "store of \(Value.self)",
      began: { ticket in self.gate.withLock { $0.began(ticket) } },
      ended: { ticket in self.gate.withLock { _ = $0.ended(ticket) } },
      wipe: { _ in try await self.wipe() })
  }

  /// Sets the value of a key as ``subscript(_:)`` does, if the session of a ticket is current.
  ///
  /// For work that begins in one session and may end in the next one, such as a request.
  ///
  /// - Parameters:
  ///   - value: The value; `nil` to remove it.
  ///   - key: Whose value it is.
  ///   - ticket: Taken when the work began.
  /// - Throws: `SessionError.ended`; nothing was changed then.
  public func set(_ value: Value?, for key: Key, as ticket: SessionTicket) throws(SessionError) {
    try ticket.check()
    self[key] = value
  }

  private func wipe() async throws {
    // A change that was let in before is here already: this runs on the same actor.
    gate.withLock { $0.shut() }
    removeEverything()
    try await flush()
    try await backing.removeDamaged()
  }
}
