extension SyncEngine {
  /// Reads for a session, alone, and tells the machine how it ended.
  func read(as ticket: SessionTicket) async throws {
    let asked = begunReads
    do {
      try await lock.withLock {
        // Another one has begun and ended since this one was asked for.
        if ticket == self.ticket, succeededRead > asked { return }
        try ticket.check()
        begunReads += 1
        let number = begunReads
        let isBehind = try await readAlone(ticket)
        if ticket == self.ticket { (succeededRead, self.isBehind) = (number, isBehind) }
      }
      if ticket == self.ticket {
        handle(.readEnded(isBehind ? .behind(random: outbox.environment.random()) : .success))
      }
    } catch {
      if ticket == self.ticket { handle(.readEnded(outcome(of: error))) }
      throw error
    }
    await count()
  }

  private func outcome(of error: any Error) -> FollowMachine.Outcome {
    // A source may throw `CancellationError` although nobody has cancelled it, such as when it
    // shares a request with others. That is a failure; nobody else would ask again.
    if Task.isCancelled { return .cancelled }
    return .failure(RemoteFailure(error), random: outbox.environment.random())
  }

  /// Reads, and returns whether entries are left that the server has acknowledged.
  private func readAlone(_ ticket: SessionTicket) async throws -> Bool {
    let request = SyncRequest(account: ticket.account, scope: scope)
    let attempt = Attempt()
    self.attempt = attempt
    defer { if self.attempt === attempt { self.attempt = nil } }
    var needsSnapshot = false
    while true {
      let start = try await outbox.persistence.read { [table] in
        try table.start(request, in: $0)
      }
      let since = needsSnapshot || start.needsSnapshot ? nil : start.version
      let response = try await attempt.perform(timeout: outbox.timeout, outbox.environment) {
        [source] in
        try await ticket.run { try await Self.ask(source, request, since: since) }
      }
      guard let (answer, hasMore) = response else {
        needsSnapshot = true
        continue
      }
      // What is shown from the next read on is on one of the pages, the last one at the latest.
      let (isStored, isBehind) = try await store(
        answer, to: request, from: hasMore ? start.beforeLastPage : start, as: ticket)
      // Changes that say that there are more are asked for on from where they ended. A response
      // that was overtaken is as good as none: what overtook it is newer.
      guard hasMore, isStored else { return isBehind }
      needsSnapshot = false
    }
  }

  /// Stores a response if the session of its request goes on; see ``SyncedTable``.
  ///
  /// Entries that were acknowledged and that nothing stored shows are looked for in the same
  /// transaction, after it.
  private func store(
    _ answer: ReadAnswer<Record>, to request: SyncRequest, from start: ReadStart,
    as ticket: SessionTicket
  ) async throws -> (isStored: Bool, isBehind: Bool) {
    try await outbox.persistence.write(as: ticket) { [table] transaction in
      let isStored = try table.store(
        answer, to: request, from: start, as: Source.Mutation.self, in: transaction)
      return (isStored, try table.isBehind(request, in: transaction))
    }
  }

  /// Asks for changes, or for all records; `nil` when there are no changes to be had.
  @concurrent private static func ask(
    _ source: Source, _ request: SyncRequest, since version: SyncVersion?
  ) async throws -> (ReadAnswer<Record>, hasMore: Bool)? {
    guard let version else {
      return (.snapshot(try await source.snapshot(request)), false)
    }
    switch try await source.changes(since: version, request) {
    case .snapshotNeeded:
      return nil
    case .changes(let records, let deleted, let next, let hasMore):
      guard next > version || (next == version && !hasMore) else {
        throw RemoteFailure(
          .garbled, "Changes since version \(version) lead to version \(next), hasMore: \(hasMore)")
      }
      return (.changes(records, deleted: deleted, version: next), hasMore)
    }
  }
}
