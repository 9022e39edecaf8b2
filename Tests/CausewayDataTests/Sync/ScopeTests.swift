import CausewayData
import TestSupport
import Testing

@testable import CausewaySync

/// Rule 4: responses carry their request's scope and start version.
@Suite(.timeLimit(.minutes(10)))
struct ScopeTests {
  @Test func `a late response does not overwrite newer data`() async throws {
    let desk = try await Desk()
    let (late, quick) = (desk.engine(), desk.engine())
    let (gate, arrived) = (Gate(), Log<Void>())
    await desk.server.put(Note(id: "n", title: "old"))
    await desk.server.spoilReads(.hold(gate, arrived: arrived))
    // Two engines, as in two windows: each reads on its own, but they share the rows.
    async let slow: Void = late.refresh()
    await arrived.wait(for: 1)
    await desk.server.put(Note(id: "n", title: "new"))
    try await quick.refresh()
    gate.open()
    try await slow
    #expect(try await quick.rows(.cacheOnly).map(\.title) == ["new"])
  }

  @Test func `late changes do not overwrite newer ones`() async throws {
    let desk = try await Desk()
    let (late, quick) = (desk.engine(), desk.engine())
    let (gate, arrived) = (Gate(), Log<Void>())
    try await quick.refresh()
    await desk.server.put(Note(id: "n", title: "old"))
    await desk.server.spoilReads(.hold(gate, arrived: arrived))
    async let slow: Void = late.refresh()
    await arrived.wait(for: 1)
    await desk.server.put(Note(id: "n", title: "new"))
    try await quick.refresh()
    await desk.server.put(Note(id: "m", title: "newest"))
    gate.open()
    try await slow
    #expect(try await quick.rows(.cacheOnly).map(\.title) == ["new"])
    // Changes that were not stored did not advance the cursor either.
    try await quick.refresh()
    #expect(try await quick.rows(.cacheOnly).map(\.title) == ["newest", "new"])
  }

  @Test func `a mutation of a scope without an engine is sent after a restart`() async throws {
    let desk = try await Desk()
    try await desk.engine("blue").perform(.write(Note(id: "n", title: "blue")))
    let next = try await Desk(persistence: desk.persistence)
    let red = next.engine("red")
    next.outbox.start()
    red.start()
    try await next.waitUntilSent()
    #expect(await next.server.notes(scope: "blue").map(\.title) == ["blue"])
  }

  @Test func `mutations of a scope without an engine are reported once`() async throws {
    let desk = try await Desk()
    let blue = desk.engine("blue")
    for id in ["a", "b", "c"] { try await blue.perform(.write(Note(id: id))) }
    let reports = Log<StrandedMutations>()
    let outbox = Outbox(
      persistence: desk.persistence, session: desk.session,
      surroundings: Surroundings(clock: desk.clock), report: { reports.append($0) })
    outbox.start()
    await desk.clock.sleepers(1)
    let unsent = StrandedMutations(collection: "note", scope: "blue", count: 3, need: .sender)
    #expect(try await outbox.stranded() == [unsent])
    desk.clock.advance(by: .seconds(10))
    await reports.wait(for: 1)
    #expect(reports.all == [unsent])
    #expect("\(unsent)".hasPrefix("3 mutations of the collection note, scope blue, cannot be sent"))
    // An engine of another scope sends the mutations, but does not read the scope.
    let red = SyncEngine(
      source: desk.server, table: notes, scope: "red", outbox: outbox, pollInterval: nil)
    red.start()
    try await desk.waitUntilSent()
    var unread = unsent
    unread.need = .engine
    #expect(try await outbox.stranded() == [unread])
    let again = SyncEngine(
      source: desk.server, table: notes, scope: "blue", outbox: outbox, pollInterval: nil)
    try await again.refresh()
    #expect(try await outbox.stranded() == [])
    #expect(reports.all == [unsent])
  }

  @Test func `a mutation whose engine is made in time is not reported`() async throws {
    let desk = try await Desk()
    try await desk.engine("blue").perform(.write(Note(id: "a")))
    let reports = Log<StrandedMutations>()
    let outbox = Outbox(
      persistence: desk.persistence, session: desk.session,
      surroundings: Surroundings(clock: desk.clock), report: { reports.append($0) })
    outbox.start()
    await desk.clock.sleepers(1)
    let blue = SyncEngine(
      source: desk.server, table: notes, scope: "blue", outbox: outbox, pollInterval: nil)
    blue.start()
    desk.clock.advance(by: .seconds(10))
    try await desk.wait(for: 0, "SELECT count(*) FROM sync_outbox")
    #expect(reports.all.isEmpty)
  }

  @Test func `a snapshot deletes only in its own scope`() async throws {
    let desk = try await Desk()
    let (red, blue) = (desk.engine("red"), desk.engine("blue"))
    await desk.server.put(Note(id: "n", title: "red"), scope: "red")
    await desk.server.put(Note(id: "n", title: "blue"), scope: "blue")
    try await red.refresh()
    try await blue.refresh()
    await desk.server.delete("n", scope: "red")
    try await red.refresh()
    #expect(try await red.rows(.cacheOnly).isEmpty)
    #expect(try await blue.rows(.cacheOnly).map(\.title) == ["blue"])
    // A second engine has no version and gets a snapshot.
    try await desk.persistence.write { try $0.execute("DELETE FROM sync_cursor") }
    try await red.refresh()
    #expect(try await blue.rows(.cacheOnly).map(\.title) == ["blue"])
  }

  @Test func `a snapshot removes rows that the server no longer has`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.put(Note(id: "a"), Note(id: "b"))
    try await engine.refresh()
    await desk.server.delete("a")
    try await desk.persistence.write { try $0.execute("DELETE FROM sync_cursor") }
    try await engine.refresh()
    #expect(try await engine.rows(.cacheOnly).map(\.id) == ["b"])
    #expect(await desk.server.requests == ["snapshot", "snapshot"])
  }

  @Test func `a snapshot that the server asks for removes rows and keeps the changed ones`()
    async throws
  {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.put(Note(id: "a"), Note(id: "b"), Note(id: "c"))
    try await engine.refresh()
    await desk.server.delete("a")
    await desk.server.put(Note(id: "c", title: "changed"))
    // The engine has a cursor. So it asks for changes first, and keeps the rows until the snapshot.
    await desk.server.lie(.snapshotNeeded)
    try await engine.refresh()
    let rows = try await engine.rows(.cacheOnly)
    #expect(rows.map(\.id) == ["b", "c"])
    #expect(rows.last?.title == "changed")
  }

  @Test func `a refresh of one account neither reads nor deletes another account's rows`()
    async throws
  {
    let desk = try await Desk(account: "ada")
    let engine = desk.engine()
    await desk.server.put(Note(id: "n", title: "bob's"), account: "bob")
    // The database has rows of two accounts, like the database of a server-side program.
    try await desk.persistence.write { transaction in
      try transaction.execute(
        "INSERT INTO note_base VALUES ('bob', 'all', 1, 0, 'n', 'bob''s', 0, NULL)")
    }
    try await engine.refresh()
    #expect(try await engine.rows(.cacheOnly).isEmpty)
    let count = try await desk.persistence.read {
      try $0.row("SELECT count(*) FROM note_base", as: Int.self)
    }
    #expect(count == 1)
  }

  @Test func `after a server was restored from a backup its older state is accepted`() async throws
  {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.put(Note(id: "n", title: "kept"))
    try await engine.refresh()
    // The stored version is from before the restoration, and higher than the server's versions.
    try await desk.persistence.write { try $0.execute("UPDATE sync_cursor SET version = 90") }
    await desk.server.lie(.snapshotNeeded)
    await desk.server.put(Note(id: "n", title: "restored"))
    try await engine.refresh()
    #expect(try await engine.rows(.cacheOnly).map(\.title) == ["restored"])
  }

  @Test(arguments: [
    RemoteChanges<Note>.changes([Note(id: "x")], deleted: [], version: 0, hasMore: false),
    .changes([Note(id: "x")], deleted: ["n"], version: 1, hasMore: true),
    .changes([], deleted: ["n"], version: -3, hasMore: false),
  ])
  func `inconsistent changes are rejected, and nothing of them is stored`(
    answer: RemoteChanges<Note>
  ) async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.put(Note(id: "n", title: "kept"))
    try await engine.refresh()
    await desk.server.lie(answer)
    let error = await thrown { try await engine.refresh() }
    #expect((error as? RemoteFailure)?.kind == .garbled)
    #expect(try await engine.rows(.cacheOnly).map(\.title) == ["kept"])
    #expect(await engine.status { $0.phase == .offline }.lastError?.kind == .garbled)
  }
}
