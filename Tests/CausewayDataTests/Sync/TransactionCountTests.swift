import CausewayData
import Foundation
import Synchronization
import TestSupport
import Testing

/// The number of transactions of a mutation, from `perform` until the server's data covers it.
@Suite(.timeLimit(.minutes(10)))
struct TransactionCountTests {
  private struct Counts {
    var reads = 0
    var writes = 0
  }

  @Test(arguments: [(count: 1, reads: 2, writes: 2), (count: 100, reads: 110, writes: 110)])
  func `a mutation costs few transactions from perform until it is covered`(
    goal: (count: Int, reads: Int, writes: Int)
  ) async throws {
    let counts = Mutex(Counts())
    let desk = try await Desk(
      persistence: HookedPersistence(
        service: try await makeStore(),
        beforeRead: { counts.withLock { $0.reads += 1 } },
        beforeWrite: { counts.withLock { $0.writes += 1 } }))
    let engine = desk.engine()
    engine.start()
    desk.outbox.start()
    _ = await engine.status { $0.phase == .upToDate }
    // An outbox that has sent an entry has certainly started.
    desk.outbox.register("first") { _ in .final }
    try await desk.outbox.enqueue(
      OutboxDraft(collection: "first", scope: "first", kind: "first", payload: Data()))
    try await desk.waitUntilCovered()
    counts.withLock { $0 = Counts() }

    for number in 1...goal.count {
      try await engine.perform(.write(Note(id: "\(number)")))
    }
    // The clock advances only after this wait. Otherwise each acknowledgement would cause its own
    // read.
    await desk.server.arrivals.wait(for: goal.count)
    try await desk.waitUntilCovered()
    _ = await engine.status { $0.phase == .upToDate && $0.pendingCount == 0 }
    let cost = counts.withLock { $0 }
    #expect(cost.reads <= goal.reads)
    #expect(cost.writes <= goal.writes)
    #expect(await desk.server.applied.count == goal.count)
  }
}
