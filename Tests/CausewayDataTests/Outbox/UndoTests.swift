import CausewayData
import CausewaySQLite
import Foundation
import TestSupport
import Testing

/// Undo is impossible when the server may have the mutation, even if its key is performed again.
@Suite(.timeLimit(.minutes(10)))
struct UndoTests {
  /// The state in which an earlier run of the app has left an entry.
  enum Past: CaseIterable {
    /// The server has applied the mutation, and no read has shown it yet.
    case acknowledged
    /// The entry was sent, and waits for a retry.
    case failed
    /// It is unknown whether the earlier run was sending the entry when that run ended.
    case stored
  }

  @Test(arguments: Past.allCases)
  func `performing a key of an earlier run again does not make it undoable`(
    past: Past
  ) async throws {
    let first = try await Desk()
    let engine = first.engine()
    if past == .failed {
      await first.server.spoilMutations(.failAfterwards(RemoteFailure(.timedOut)))
    }
    try await engine.perform(.write(Note(id: "n", title: "mine")), key: "k")
    if past != .stored { first.outbox.start() }
    switch past {
    case .acknowledged: try await first.waitUntilSent()
    case .failed: try await first.wait(for: 1, "SELECT attempts FROM sync_outbox")
    case .stored: break
    }

    // A new run, which has loaded no entries when the key is performed again.
    let second = try await Desk(persistence: first.persistence)
    let again = second.engine()
    try await again.perform(.write(Note(id: "n", title: "mine")), key: "k")
    await #expect(throws: OutboxError.alreadySent("k")) { try await second.outbox.undo("k") }
    #expect(try await second.outbox.entries().map(\.key) == ["k"])
    #expect(try await again.rows(.cacheOnly).map(\.title) == ["mine"])
  }

  @Test func `a mutation that has become a dead letter in the meantime cannot be undone`()
    async throws
  {
    let store = try await makeStore()
    let isBuried = Log<Void>()
    // The entry becomes a dead letter after `undo` has read it.
    let hooked = HookedPersistence(
      service: store,
      beforeWrite: {
        let count = try await store.read {
          try $0.row("SELECT count(*) FROM sync_outbox", as: Int.self)
        }
        guard count == 1, isBuried.all.isEmpty else { return }
        isBuried.append(())
        try await store.write { transaction in
          try transaction.execute(
            """
            INSERT INTO sync_dead_letter SELECT sequence, key, account, collection, scope, kind,
              entity, payload, 0, requires, created, created, 'dependencyFailed', '', 'p'
            FROM sync_outbox
            """)
          try transaction.execute("DELETE FROM sync_outbox")
        }
      })
    let desk = try await Desk(persistence: hooked)
    try await desk.outbox.enqueue(
      OutboxDraft(key: "k", collection: "text", kind: "send", payload: Data()))
    await #expect(throws: OutboxError.notFound("k")) { try await desk.outbox.undo("k") }
  }

  @Test func `a key performed twice before it is sent can still be undone once`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    for _ in 1...2 { try await engine.perform(.write(Note(id: "n")), key: "k") }
    try await desk.outbox.undo("k")
    #expect(try await engine.rows(.cacheOnly).isEmpty)
    await #expect(throws: OutboxError.notFound("k")) { try await desk.outbox.undo("k") }
    desk.outbox.start()
    try await engine.perform(.write(Note(id: "m")))
    try await desk.waitUntilSent()
    #expect(await desk.server.notes().map(\.id) == ["m"])
  }
}
