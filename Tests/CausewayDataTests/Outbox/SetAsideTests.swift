import CausewayData
import Foundation
import TestSupport
import Testing

/// Mutations that the server always answers with an error, and the ones behind them.
@Suite(.timeLimit(.minutes(10)))
struct SetAsideTests {
  private func mishaps(_ count: Int) -> [NoteServer.Mishap] {
    Array(repeating: .fail(RemoteFailure(.serverFault, "a bug")), count: count)
  }

  private func spoil(_ desk: Desk, _ count: Int) async {
    for mishap in mishaps(count) { await desk.server.spoilMutations(mishap) }
  }

  /// Fails once, and waits for the next attempt.
  private func stuckDesk(_ table: RetryTable = .standard) async throws -> (
    Desk, SyncEngine<NoteServer>, IdempotencyKey
  ) {
    let desk = try await Desk(table: table)
    let engine = desk.engine()
    try await engine.refresh()
    await spoil(desk, 1)
    let key = try await engine.perform(.write(Note(id: "a", title: "1")))
    try await engine.perform(.rename(id: "a", title: "2"))
    try await engine.perform(.write(Note(id: "b")))
    desk.outbox.start()
    try await desk.wait(for: 1, "SELECT count(*) FROM sync_outbox WHERE attempts = 1")
    return (desk, engine, key)
  }

  @Test func `the mutations behind a mutation that was set aside are sent`() async throws {
    let (desk, engine, key) = try await stuckDesk()
    try await desk.outbox.setAside(key)
    try await desk.wait(for: 0, "SELECT count(*) FROM sync_outbox WHERE state = 'waiting'")
    // The later mutation of the same record does not overtake it.
    #expect(await desk.server.applied.map(\.mutation) == [.write(Note(id: "b"))])
    let letters = try await desk.outbox.deadLetters()
    #expect(letters.map(\.kind) == ["write", "rename"])
    #expect(letters.map(\.cause) == [nil, key])
    #expect(letters[0].reason == .serverFault)
    #expect(try await engine.rows(.networkOnly).map(\.id) == ["b"])

    // The server is mended. It gets the mutations in their order and with their keys.
    #expect(try await desk.outbox.resend(key) == key)
    try await desk.wait(for: 0, "SELECT count(*) FROM sync_outbox WHERE state = 'waiting'")
    #expect(await desk.server.notes().map(\.title) == ["2", ""])
    #expect(await desk.server.applied.map(\.key).dropFirst() == letters.map(\.key)[...])
    #expect(try await desk.outbox.deadLetters().isEmpty)
  }

  @Test func `a table can set a mutation aside after a number of faults`() async throws {
    var table = RetryTable.standard
    table[.serverFault] = .retry(limit: 3)
    let (desk, _, key) = try await stuckDesk(table)
    await spoil(desk, 2)
    let advancing = desk.clock.advancingOverAllWaits()
    try await desk.wait(for: 0, "SELECT count(*) FROM sync_outbox WHERE state = 'waiting'")
    advancing.cancel()
    #expect(await desk.server.applied.map(\.mutation) == [.write(Note(id: "b"))])
    #expect(try await desk.outbox.deadLetters().map(\.cause) == [nil, key])
  }

  @Test func `a mutation in a request is not set aside`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    let (gate, arrived) = (Gate(), Log<Void>())
    await desk.server.spoilMutations(.hold(gate, arrived: arrived))
    let key = try await engine.perform(.write(Note(id: "a")))
    desk.outbox.start()
    await arrived.wait(for: 1)
    await #expect(throws: OutboxError.isSending(key)) { try await desk.outbox.setAside(key) }
    gate.open()
    try await desk.wait(for: 0, "SELECT count(*) FROM sync_outbox WHERE state = 'waiting'")
    await #expect(throws: OutboxError.notFound(key)) { try await desk.outbox.setAside(key) }
    await #expect(throws: OutboxError.notFound("other")) {
      try await desk.outbox.setAside("other")
    }
    #expect(try await desk.outbox.deadLetters().isEmpty)
  }
}
