import CausewayData
import TestSupport
import Testing

/// Rule 5: base rows and an ordered overlay, both in one transaction.
@Suite(.timeLimit(.minutes(10)))
struct OverlayTests {
  @Test func `a mutation is shown as soon as it is stored, and is marked as pending`() async throws
  {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.put(Note(id: "a", title: "theirs"))
    try await engine.refresh()
    try await engine.perform(.write(Note(id: "b", title: "mine")))
    let rows = try await engine.rows(.cacheOnly)
    #expect(
      rows == [
        Synced(Note(id: "a", title: "theirs")),
        Synced(Note(id: "b", title: "mine"), isPending: true),
      ])
  }

  @Test func `a condition is checked against the shown record, and nothing is stored without it`()
    async throws
  {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.put(Note(id: "n", title: "theirs"))
    try await engine.refresh()
    struct Refused: Error {}
    let missing = try await engine.perform(.star(id: "other")) { $0 != nil }
    #expect(missing == nil)
    await #expect(throws: Refused.self) {
      try await engine.perform(.star(id: "n")) { _ in throw Refused() }
    }
    #expect(try await desk.outbox.entries().isEmpty)
    #expect(try await engine.rows(.cacheOnly) == [Synced(Note(id: "n", title: "theirs"))])
    // Each of several concurrent mutations sees the mutations before it.
    let stored = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 {
        group.addTask { try await engine.perform(.star(id: "n")) { ($0?.stars ?? 0) < 3 } != nil }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(stored == 3)
    let rows = try await engine.rows(.cacheOnly)
    #expect(rows == [Synced(Note(id: "n", title: "theirs", stars: 3), isPending: true)])
    #expect(try await desk.outbox.entries().count == 3)
    // A key that is stored already is not checked again.
    let key = try await engine.perform(.star(id: "n"), key: "k")
    #expect(try await engine.perform(.star(id: "n"), key: "k") { _ in throw Refused() } == key)
  }

  @Test func `undo reverts one mutation and keeps the later ones`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.put(Note(id: "n", title: "theirs"))
    try await engine.refresh()
    let rename = try await engine.perform(.rename(id: "n", title: "mine"))
    try await engine.perform(.star(id: "n"))
    #expect(
      try await engine.rows(.cacheOnly).map(\.record) == [Note(id: "n", title: "mine", stars: 1)])
    try await desk.outbox.undo(rename)
    let rows = try await engine.rows(.cacheOnly)
    #expect(rows == [Synced(Note(id: "n", title: "theirs", stars: 1), isPending: true)])
  }

  @Test func `a mutation undone before it is sent never reaches the server`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    desk.outbox.start()
    await desk.server.spoilMutations(.fail(RemoteFailure(.unreachable)))
    let first = try await engine.perform(.write(Note(id: "n", title: "first")))
    try await desk.wait(for: 1, "SELECT attempts FROM sync_outbox")
    let rename = try await engine.perform(.rename(id: "n", title: "second"))
    try await engine.perform(.star(id: "n"))
    try await desk.outbox.undo(rename)
    #expect(
      try await engine.rows(.cacheOnly).map(\.record) == [Note(id: "n", title: "first", stars: 1)])
    await #expect(throws: OutboxError.alreadySent(first)) { try await desk.outbox.undo(first) }
    await #expect(throws: OutboxError.notFound(rename)) { try await desk.outbox.undo(rename) }
    desk.outbox.retryNow()
    try await desk.waitUntilSent()
    #expect(await desk.server.notes() == [Note(id: "n", title: "first", stars: 1)])
  }

  @Test func `a rejected mutation reverts its own effect and keeps later edits`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.put(Note(id: "n", title: "theirs"))
    try await engine.refresh()
    await desk.server.refuse("rename")
    await desk.server.spoilMutations(.none, .fail(RemoteFailure(.unreachable)))
    let rejections = desk.outbox.rejections()
    try await engine.perform(.rename(id: "n", title: "refused"))
    try await engine.perform(.star(id: "n"))
    desk.outbox.start()
    for await _ in rejections { break }
    let rows = try await engine.rows(.cacheOnly)
    let reverted = Note(id: "n", title: "theirs", stars: 1)
    #expect(rows == [Synced(reverted, isPending: true, isRejected: true)])
  }

  @Test func `newer server data is applied below the pending mutations`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.put(Note(id: "n", title: "old", stars: 5))
    try await engine.refresh()
    try await engine.perform(.star(id: "n"))
    await desk.server.put(Note(id: "n", title: "new", stars: 9))
    try await engine.refresh()
    let rows = try await engine.rows(.cacheOnly)
    #expect(rows == [Synced(Note(id: "n", title: "new", stars: 10), isPending: true)])
  }

  @Test func `a snapshot without an optimistic row does not remove it`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    try await engine.perform(.write(Note(id: "mine")))
    try await engine.refresh()
    #expect(try await engine.rows(.cacheOnly).map(\.id) == ["mine"])
  }

  @Test func `a locally deleted record stays hidden while the server still has it`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.put(Note(id: "n"))
    try await engine.refresh()
    try await engine.perform(.remove(id: "n"))
    #expect(try await engine.rows(.cacheOnly).isEmpty)
    await desk.server.put(Note(id: "n", title: "changed"))
    try await engine.refresh()
    #expect(try await engine.rows(.cacheOnly).isEmpty)
  }

  @Test func `an edit of a record disappears when the server deletes the record`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.put(Note(id: "n"))
    try await engine.refresh()
    try await engine.perform(.star(id: "n"))
    await desk.server.delete("n")
    try await engine.refresh()
    #expect(try await engine.rows(.cacheOnly).isEmpty)
  }

  @Test func `a pending edit is shown again when its record returns`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.put(Note(id: "n"))
    try await engine.refresh()
    try await engine.perform(.star(id: "n"))
    await desk.server.delete("n")
    try await engine.refresh()
    await desk.server.put(Note(id: "n", title: "again"))
    try await engine.refresh()
    let rows = try await engine.rows(.cacheOnly)
    #expect(rows == [Synced(Note(id: "n", title: "again", stars: 1), isPending: true)])
  }

  @Test func `a mutation that cannot be stored is not shown`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    // The overlay rejects the record after the entry was inserted in the same transaction.
    try await desk.persistence.write {
      try $0.execute(
        """
        CREATE TRIGGER refuse BEFORE INSERT ON note_overlay WHEN NEW.title = 'bad'
        BEGIN SELECT RAISE(ABORT, 'bad'); END
        """)
    }
    let error = await thrown { try await engine.perform(.write(Note(id: "n", title: "bad"))) }
    #expect(error is PersistenceError)
    #expect(try await desk.countRows() == 0)
  }
}
