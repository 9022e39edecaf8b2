import CausewayData
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CausewaySync

/// A receipt that the database refuses to store delays no other receipt and no read.
@Suite(.timeLimit(.minutes(10)))
struct PoisonedReceiptTests {
  private static func poison(_ desk: Desk) async throws {
    try await desk.persistence.write {
      try $0.execute(
        """
        CREATE TRIGGER poison BEFORE UPDATE OF state ON sync_outbox
        WHEN OLD.kind = 'star'
        BEGIN SELECT RAISE(ABORT, 'poisoned'); END
        """)
    }
  }

  @Test func `a read is stored although a receipt of its scope cannot be stored`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    engine.start()
    desk.outbox.start()
    _ = await engine.status { $0.phase == .upToDate }
    try await Self.poison(desk)
    // The engine reads soon after an acknowledgement, and its transaction stores the receipt.
    try await engine.perform(.star(id: "mine"))
    await desk.server.arrivals.wait(for: 1)
    while await !desk.outbox.holdsReceipts { await Task.yield() }
    await desk.server.put(Note(id: "theirs"))
    try await engine.refresh()
    #expect(try await engine.rows(.cacheOnly).map(\.id) == ["theirs"])
    #expect(try await desk.outbox.entries().map(\.state) == [.waiting])
    // The receipt is stored as soon as the database accepts it.
    try await desk.persistence.write { try $0.execute("DROP TRIGGER poison") }
    engine.retryNow()
    try await desk.wait(for: 0, "SELECT count(*) FROM sync_outbox")
    #expect(await desk.server.applied.count == 1)
  }

  @Test func `an entry waits until the storing of receipts makes room`() async throws {
    let isSlow = Mutex(false)
    let (gate, arrived) = (Gate(), Log<Void>())
    let persistence = HookedPersistence(
      service: try await makeStore(),
      beforeWrite: {
        let isHeld = isSlow.withLock { isSlow in
          defer { isSlow = false }
          return isSlow
        }
        guard isHeld else { return }
        arrived.append(())
        await gate.waitUncancellably()
      })
    let desk = try await Desk(limit: 1, persistence: persistence)
    let draft = { OutboxDraft(collection: "text", kind: "send", payload: Data("a".utf8)) }
    desk.outbox.register("text") { _ in
      isSlow.withLock { $0 = true }
      return .final
    }
    try await desk.outbox.enqueue(draft())
    desk.outbox.start()
    await arrived.wait(for: 1)
    // The outbox is storing the receipt of the first entry now.
    let second = Task { try await desk.outbox.enqueue(draft()) }
    while await !desk.outbox.waitsForReceipts { await Task.yield() }
    gate.open()
    _ = try await second.value
  }

  @Test func `an outbox whose run has ended sends nothing, and its entries can be undone`()
    async throws
  {
    let desk = try await Desk()
    let (sent, started) = (Log<OutboxEntry>(), Log<Void>())
    desk.outbox.register("text") { entry in
      sent.append(entry)
      return .final
    }
    let draft = { OutboxDraft(collection: "text", kind: "send", payload: Data("a".utf8)) }
    try await desk.outbox.enqueue(draft())
    let run = Task {
      started.append(())
      await desk.outbox.run()
    }
    await sent.wait(for: 1)
    try await desk.waitUntilCovered()
    run.cancel()
    await run.value
    let late = try await desk.outbox.enqueue(draft())
    try await desk.outbox.undo(late.key)
    #expect(try await desk.outbox.entries().isEmpty)
    #expect(sent.all.count == 1)
  }
}
