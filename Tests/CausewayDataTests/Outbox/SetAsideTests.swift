import CausewayData
import Foundation
import TestSupport
import Testing

/// Mutations that the server always answers with an error, and the mutations after them.
@Suite(.timeLimit(.minutes(10)))
struct SetAsideTests {
  private func mishaps(_ count: Int) -> [NoteServer.Mishap] {
    Array(repeating: .fail(RemoteFailure(.serverFault, "a bug")), count: count)
  }

  private func spoil(_ desk: Desk, _ count: Int) async {
    for mishap in mishaps(count) { await desk.server.spoilMutations(mishap) }
  }

  /// Fails once, and waits for the next attempt.
  private func stuckDesk(
    _ table: RetryTable = .standard, deadLetterLimit: Int = 1_000
  ) async throws -> (Desk, SyncEngine<NoteServer>, IdempotencyKey) {
    let desk = try await Desk(table: table, deadLetterLimit: deadLetterLimit)
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

  @Test func `a later mutation is not sent before an earlier one that was set aside`()
    async throws
  {
    let (desk, engine, key) = try await stuckDesk()
    try await engine.perform(.rename(id: "a", title: "3"))
    try await desk.outbox.setAside(key)
    let keys = try await desk.outbox.deadLetters().map(\.key)
    #expect(keys.count == 3)
    for follower in keys.dropFirst() {
      await #expect(throws: OutboxError.requiresDeadLetter(follower, key)) {
        try await desk.outbox.resend(follower)
      }
    }
    // A discarded mutation delays no other mutation. The followers keep their order.
    try await desk.outbox.discard(key)
    await #expect(throws: OutboxError.requiresDeadLetter(keys[2], keys[1])) {
      try await desk.outbox.resend(keys[2])
    }
    try await desk.outbox.discard(keys[1])
    #expect(try await desk.outbox.resend(keys[2]) == keys[2])
    #expect(try await desk.outbox.deadLetters().isEmpty)
  }

  @Test func `a mutation is not set aside beyond the limit of dead letters`() async throws {
    let (desk, _, key) = try await stuckDesk(deadLetterLimit: 1)
    await #expect(throws: OutboxError.tooManyDeadLetters(1)) {
      try await desk.outbox.setAside(key)
    }
    #expect(try await desk.outbox.deadLetters().isEmpty)
    // All of them are sent when the server is mended.
    let advancing = desk.clock.advancingOverAllWaits()
    try await desk.wait(for: 0, "SELECT count(*) FROM sync_outbox WHERE state = 'waiting'")
    advancing.cancel()
    #expect(await desk.server.applied.count == 3)
    #expect(await desk.server.notes().map(\.title) == ["2", ""])
  }

  @Test func `mutations that a table sets aside together are not dropped`() async throws {
    var table = RetryTable.standard
    table[.serverFault] = .retry(limit: 2)
    let (desk, _, key) = try await stuckDesk(table, deadLetterLimit: 1)
    await spoil(desk, 1)
    let advancing = desk.clock.advancingOverAllWaits()
    try await desk.wait(for: 0, "SELECT count(*) FROM sync_outbox WHERE state = 'waiting'")
    advancing.cancel()
    #expect(try await desk.outbox.deadLetters().map(\.cause) == [nil, key])
  }

  @Test func `attempts that did not reach the server are not counted as its faults`() async throws {
    let (desk, _, key) = try await stuckDesk()
    for _ in 0..<100 {
      await desk.server.spoilMutations(.fail(RemoteFailure(.unreachable)))
    }
    let advancing = desk.clock.advancingOverAllWaits()
    try await desk.wait(for: 1, "SELECT count(*) FROM sync_outbox WHERE attempts >= 6")
    advancing.cancel()
    let first = try #require(try await desk.outbox.entries().first)
    #expect(first.key == key)
    #expect(first.attempts >= 6)
    #expect(first.serverFaults == 1)
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
