import CausewayData
import TestSupport
import Testing

@testable import CausewayBasics
@testable import CausewaySync

@Suite(.timeLimit(.minutes(10)))
struct EngineTests {
  @Test func `stored rows are shown at once, for every state of the server`() async throws {
    let desk = try await Desk()
    await desk.server.put(Note(id: "n"))
    try await desk.engine().refresh()
    await desk.server.spoilReads(.never(arrived: Log()))
    let engine = desk.engine()
    engine.start()
    #expect(try await engine.rows { !$0.isEmpty }.map(\.id) == ["n"])
    #expect(try await engine.rows(.cacheFirst).map(\.id) == ["n"])
  }

  @Test func `the status reports all activity from the registration on`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.spoilReads(.fail(RemoteFailure(.unreachable, "no route")))
    let statuses = engine.statuses()
    engine.start()
    var seen: [SyncStatus] = []
    for await status in statuses {
      seen.append(status)
      if status.phase == .offline { break }
    }
    // A slow consumer gets only the latest status.
    #expect(seen.dropLast().allSatisfy { $0.phase == .idle || $0.phase == .syncing })
    #expect(seen.last?.lastError == RemoteFailure(.unreachable, "no route"))
    await desk.clock.sleepers(1)
    desk.clock.advance(by: .seconds(1))
    let status = await engine.status { $0.phase == .upToDate }
    #expect(status == SyncStatus(phase: .upToDate))
  }

  @Test func `the pending count increases with a mutation and decreases when data covers it`()
    async throws
  {
    let desk = try await Desk()
    let engine = desk.engine()
    engine.start()
    _ = await engine.status { $0.phase == .upToDate }
    try await engine.perform(.write(Note(id: "a")))
    try await engine.perform(.write(Note(id: "b")))
    _ = await engine.status { $0.pendingCount == 2 }
    // If the second answer arrives after the read has begun, the next read begins after a pause.
    let advancing = desk.clock.advancingOverAllWaits()
    desk.outbox.start()
    _ = await engine.status { $0.pendingCount == 0 && $0.phase == .upToDate }
    advancing.cancel()
  }

  @Test func `mutations that wait for a retry are sent when a read reaches the server again`()
    async throws
  {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.spoilMutations(.fail(RemoteFailure(.unreachable)))
    await desk.server.spoilReads(.fail(RemoteFailure(.unreachable)))
    desk.outbox.start()
    try await engine.perform(.write(Note(id: "n")))
    try await desk.wait(for: 1, "SELECT attempts FROM sync_outbox")
    engine.start()
    _ = await engine.status { $0.phase == .offline }
    // One sleeper is for the read, and one is for the mutation.
    await desk.clock.sleepers(2)
    desk.clock.advance(by: .seconds(1))
    try await desk.waitUntilCovered()
    #expect(await desk.server.notes().map(\.id) == ["n"])
  }

  @Test func `concurrent reads share one request that starts after all of them`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    let (gate, arrived) = (Gate(), Log<Void>())
    await desk.server.spoilReads(.hold(gate, arrived: arrived))
    async let first: Void = engine.refresh()
    await arrived.wait(for: 1)
    let others = (1...50).map { _ in Task { try await engine.refresh() } }
    await desk.server.put(Note(id: "n"))
    await until { engine.lock.count >= 50 }
    gate.open()
    try await first
    for other in others { try await other.value }
    #expect(await desk.server.requests.count == 2)
    #expect(try await engine.rows(.cacheOnly).map(\.id) == ["n"])
  }

  @Test func `a cancelled refresh does not affect other refreshes`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    let arrived = Log<Void>()
    await desk.server.spoilReads(.never(arrived: arrived))
    let first = Task { try await engine.refresh() }
    await arrived.wait(for: 1)
    let second = Task { try await engine.refresh() }
    first.cancel()
    #expect(await first.result.failure is CancellationError)
    try await second.value
  }

  @Test(arguments: ReadPolicy.allCases)
  func `the read policy decides when a read sends a request`(policy: ReadPolicy) async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.put(Note(id: "a"))
    let first = try await engine.rows(policy)
    #expect(first.isEmpty == (policy == .cacheOnly))
    if policy == .cacheOnly { try await engine.refresh() }
    await desk.server.put(Note(id: "b"))
    engine.start()
    _ = await engine.status { $0.phase == .upToDate }
    await desk.server.put(Note(id: "c"))
    let rows = try await engine.rows(policy)
    #expect(rows.contains { $0.id == "c" } == (policy == .networkOnly))
    if policy == .staleWhileRevalidate {
      _ = try await engine.rows { rows in rows.contains { $0.id == "c" } }
    }
  }

  @Test func `a network-only read fails with the server, even with stored rows`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    try await engine.refresh()
    await desk.server.spoilReads(.fail(RemoteFailure(.serverFault)))
    await #expect(throws: RemoteFailure(.serverFault)) {
      _ = try await engine.rows(.networkOnly)
    }
  }

  @Test func `an engine without references is deallocated, even while it waits for its server`()
    async throws
  {
    let desk = try await Desk()
    weak var dropped: SyncEngine<NoteServer>?
    let ended = Log<Void>()
    do {
      let engine = desk.engine()
      dropped = engine
      engine.start()
      let statuses = engine.statuses()
      Task {
        for await _ in statuses {}
        ended.append(())
      }
      _ = await engine.status { $0.phase == .upToDate }
    }
    await ended.wait(for: 1)
    await until { dropped == nil }
  }

  @Test func `a source that throws CancellationError without being cancelled is retried`()
    async throws
  {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.put(Note(id: "n"))
    await desk.server.spoilReads(.cancel)
    engine.start()
    let status = await engine.status { $0.phase == .offline }
    #expect(status.lastError?.kind == .unknown)
    await desk.clock.sleepers(1)
    desk.clock.advance(by: .seconds(1))
    _ = await engine.status { $0.phase == .upToDate }
    #expect(try await engine.rows(.cacheOnly).map(\.id) == ["n"])
  }

  @Test func `the database filters and sorts the rows`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.put(
      Note(id: "a", stars: 1), Note(id: "b", stars: 3), Note(id: "c", stars: 2))
    try await engine.refresh()
    let least = 2
    let rows = try await engine.rows(
      .cacheOnly, where: "stars >= \(least)", orderedBy: "stars DESC")
    #expect(rows.map(\.id) == ["b", "c"])
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
