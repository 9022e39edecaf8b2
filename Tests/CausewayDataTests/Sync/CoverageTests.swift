import CausewayData
import TestSupport
import Testing

/// Rule 6: an entry leaves the outbox only when the server's data covers it.
@Suite(.timeLimit(.minutes(10)))
struct CoverageTests {
  @Test(arguments: [
    { @Sendable (version: SyncVersion) in MutationReceipt.covered(by: version) },
    { @Sendable _ in .coveredByNextRead },
  ])
  func `a row does not flicker between its acknowledgement and the server's data`(
    receipt: @escaping @Sendable (SyncVersion) -> MutationReceipt
  ) async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.answer(with: receipt)
    try await engine.refresh()
    let seen = Log<[Synced<Note>]>()
    let observing = Task {
      for try await rows in engine.observe() { seen.append(rows) }
    }
    defer { observing.cancel() }
    await seen.wait(for: 1)
    engine.start()
    desk.outbox.start()
    for number in 1...10 {
      try await engine.perform(.write(Note(id: "n", title: "\(number)")))
      try await desk.waitUntilCovered()
    }
    _ = try await engine.rows { $0.first?.isPending == false && $0.first?.title == "10" }
    // A version may be skipped. After the row was shown, it never disappears or gets an older
    // title.
    var last = 0
    for rows in seen.all.dropFirst() {
      let number = try #require(rows.first.flatMap { Int($0.title) }, "the row was gone")
      #expect(number >= last)
      last = number
    }
  }

  @Test func `an acknowledged mutation stays shown until server data covers it`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    try await engine.refresh()
    try await engine.perform(.write(Note(id: "n", title: "mine")))
    desk.outbox.start()
    try await desk.waitUntilSent()
    // No read happens, because the engine was not started.
    #expect(
      try await engine.rows(.cacheOnly) == [Synced(Note(id: "n", title: "mine"), isPending: true)])
    // A response older than the mutation, as from a server with slow replicas.
    await desk.server.lie(.changes([], deleted: [], version: 0, hasMore: false))
    try await engine.refresh()
    #expect(try await engine.rows(.cacheOnly).map(\.isPending) == [true])
    try await engine.refresh()
    #expect(try await engine.rows(.cacheOnly) == [Synced(Note(id: "n", title: "mine"))])
    #expect(try await desk.outbox.entries().isEmpty)
  }

  @Test func `data that arrived before the acknowledgement covers the mutation at once`()
    async throws
  {
    let desk = try await Desk()
    let engine = desk.engine()
    let (gate, arrived) = (Gate(), Log<Void>())
    await desk.server.spoilMutations(.hold(gate, arrived: arrived))
    try await engine.perform(.write(Note(id: "n", title: "mine")))
    desk.outbox.start()
    await arrived.wait(for: 1)
    try await engine.refresh()
    #expect(try await engine.rows(.cacheOnly).map(\.isPending) == [true])
    gate.open()
    try await desk.waitUntilCovered()
    #expect(try await engine.rows(.cacheOnly) == [Synced(Note(id: "n", title: "mine"))])
  }

  @Test func `a read that started before an acknowledgement without a version does not cover it`()
    async throws
  {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.answer { _ in .coveredByNextRead }
    let (gate, arrived) = (Gate(), Log<Void>())
    await desk.server.spoilReads(.hold(gate, arrived: arrived))
    async let early: Void = engine.refresh()
    await arrived.wait(for: 1)
    try await engine.perform(.write(Note(id: "n", title: "mine")))
    desk.outbox.start()
    try await desk.waitUntilSent()
    gate.open()
    try await early
    #expect(try await engine.rows(.cacheOnly).map(\.isPending) == [true])
    try await engine.refresh()
    #expect(try await engine.rows(.cacheOnly).map(\.isPending) == [false])
  }

  @Test func `a mutation does not stay pending when the next read comes from a stale replica`()
    async throws
  {
    let desk = try await Desk()
    let engine = desk.engine()
    engine.start()
    _ = await engine.status { $0.phase == .upToDate }
    let (gate, arrived) = (Gate(), Log<Void>())
    await desk.server.spoilReads(.hold(gate, arrived: arrived))
    await desk.server.lie(.changes([], deleted: [], version: 0, hasMore: false))
    try await engine.perform(.write(Note(id: "n", title: "mine")))
    desk.outbox.start()
    await arrived.wait(for: 1)
    _ = await engine.status { $0.phase == .syncing }
    gate.open()
    #expect(await engine.status { $0.phase == .upToDate }.pendingCount == 1)
    // The server sends no hints, and the engine does not poll.
    await desk.clock.sleepers(1)
    desk.clock.advance(by: .seconds(1))
    try await desk.waitUntilCovered()
    #expect(try await engine.rows(.cacheOnly) == [Synced(Note(id: "n", title: "mine"))])
  }

  @Test func `the server's result of a mutation replaces the optimistic value`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    engine.start()
    desk.outbox.start()
    try await engine.perform(.write(Note(id: "n", title: "mine")))
    await desk.server.put(Note(id: "n", title: "mine, as the server writes it"))
    try await desk.waitUntilCovered()
    try await engine.refresh()
    let note = try #require(await desk.server.notes().first)
    #expect(try await engine.rows(.cacheOnly) == [Synced(note)])
  }

  // MARK: Pages

  /// A mutation that the server has applied, with its data on the last of three pages.
  private func mutationBehindPages(_ desk: Desk, _ engine: SyncEngine<NoteServer>) async throws {
    await desk.server.answer { _ in .coveredByNextRead }
    try await engine.refresh()
    await desk.server.put(Note(id: "a"), Note(id: "b"))
    try await engine.perform(.write(Note(id: "n", title: "mine")))
    desk.outbox.start()
    try await desk.waitUntilSent()
    await desk.server.divide(1)
  }

  @Test func `a row stays shown while earlier pages arrive`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    try await mutationBehindPages(desk, engine)
    let (gates, arrived) = ([Gate(), Gate()], Log<Void>())
    await desk.server.spoilReads(
      .none, .hold(gates[0], arrived: arrived), .hold(gates[1], arrived: arrived))
    async let reading: Void = engine.refresh()
    for (index, gate) in gates.enumerated() {
      await arrived.wait(for: index + 1)
      let shown = try await engine.rows(.cacheOnly)
      #expect(shown.map(\.id) == ["a", "b", "n"].filter { index == 1 || $0 != "b" })
      #expect(shown.last == Synced(Note(id: "n", title: "mine"), isPending: true))
      gate.open()
    }
    try await reading
    #expect(try await engine.rows(.cacheOnly).map(\.isPending) == [false, false, false])
    #expect(try await desk.outbox.entries().isEmpty)
  }

  @Test func `a failure between two pages loses no data, and the next read continues there`()
    async throws
  {
    let desk = try await Desk()
    let engine = desk.engine()
    try await mutationBehindPages(desk, engine)
    await desk.server.spoilReads(.none, .fail(RemoteFailure(.unreachable)))
    await #expect(throws: RemoteFailure(.unreachable)) { try await engine.refresh() }
    #expect(try await engine.rows(.cacheOnly).map(\.id) == ["a", "n"])
    #expect(try await engine.rows(.cacheOnly).map(\.isPending) == [false, true])
    try await engine.refresh()
    #expect(try await engine.rows(.cacheOnly).map(\.isPending) == [false, false, false])
    #expect(try await desk.outbox.entries().isEmpty)
    let since = ["0", "1", "1", "2"].map { "changes since \($0)" }
    #expect(await desk.server.requests == ["snapshot"] + since)
  }
}
