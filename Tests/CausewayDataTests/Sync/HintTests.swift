import CausewayData
import CausewaySQLite
import Synchronization
import TestSupport
import Testing

/// A server that sends a hint when it has changes.
private final class HintingServer: RemoteSource {
  typealias Mutation = NoteMutation

  let notes = NoteServer()
  let connections = Log<AsyncThrowingStream<Void, any Error>.Continuation>()

  func snapshot(_ request: SyncRequest) async throws -> RemoteSnapshot<Note> {
    try await notes.snapshot(request)
  }

  func changes(
    since version: SyncVersion, _ request: SyncRequest
  ) async throws -> RemoteChanges<Note> {
    try await notes.changes(since: version, request)
  }

  func apply(_ mutation: NoteMutation, _ request: MutationRequest) async throws -> MutationReceipt {
    let receipt = try await notes.apply(mutation, request)
    for connection in connections.all { connection.yield() }
    return receipt
  }

  func hints(_ request: SyncRequest) -> AsyncThrowingStream<Void, any Error>? {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Void.self)
    connections.append(continuation)
    continuation.yield()
    return stream
  }
}

@Suite(.timeLimit(.minutes(10)))
struct HintTests {
  @Test func `a hint causes a read, and a lost connection is reopened without missing a change`()
    async throws
  {
    let desk = try await Desk()
    let server = HintingServer()
    let engine = SyncEngine(source: server, table: notes, outbox: desk.outbox)
    engine.start()
    await server.connections.wait(for: 1)
    await server.notes.put(Note(id: "a"))
    server.connections.all[0].yield()
    try await seen(["a"], engine)
    server.connections.all[0].finish(throwing: RemoteFailure(.unreachable))
    for await status in engine.statuses() where status.phase == .offline { break }
    await desk.clock.sleepers(1)
    await server.notes.put(Note(id: "b"))
    desk.clock.advance(by: .seconds(1))
    await server.connections.wait(for: 2)
    try await seen(["a", "b"], engine)
  }

  @Test func `hint streams that end with CancellationError without being cancelled are reopened`()
    async throws
  {
    let desk = try await Desk()
    let server = HintingServer()
    let engine = SyncEngine(source: server, table: notes, outbox: desk.outbox)
    engine.start()
    await server.connections.wait(for: 1)
    server.connections.all[0].finish(throwing: CancellationError())
    for await status in engine.statuses() where status.phase == .offline { break }
    await desk.clock.sleepers(1)
    desk.clock.advance(by: .seconds(1))
    await server.connections.wait(for: 2)
  }

  @Test func `many hints at once cause few reads`() async throws {
    let desk = try await Desk()
    let server = HintingServer()
    let engine = SyncEngine(source: server, table: notes, outbox: desk.outbox)
    let (gate, arrived) = (Gate(), Log<Void>())
    await server.notes.spoilReads(.hold(gate, arrived: arrived))
    engine.start()
    await arrived.wait(for: 1)
    await server.notes.put(Note(id: "a"))
    for _ in 0..<10_000 { server.connections.all[0].yield() }
    gate.open()
    try await seen(["a"], engine)
    #expect(await server.notes.requests.count <= 10)
  }

  @Test func `the hints about a client's own mutations share reads`() async throws {
    let desk = try await Desk()
    let server = HintingServer()
    let engine = SyncEngine(source: server, table: notes, outbox: desk.outbox)
    for number in 0..<200 { try await engine.perform(.write(Note(id: "\(number)"))) }
    engine.start()
    for await status in engine.statuses() where status.phase == .upToDate { break }
    desk.outbox.start()
    await server.notes.arrivals.wait(for: 200)
    try await desk.waitUntilCovered()
    #expect(await server.notes.requests.count <= 10)
    #expect(try await engine.rows(.cacheOnly).count == 200)
  }

  @Test func `a logout closes the connection`() async throws {
    let desk = try await Desk(account: "ada")
    let server = HintingServer()
    let engine = SyncEngine(source: server, table: notes, outbox: desk.outbox)
    let ended = Log<Void>()
    engine.start()
    await server.connections.wait(for: 1)
    server.connections.all[0].onTermination = { _ in ended.append(()) }
    try await desk.session.logout()
    await ended.wait(for: 1)
    try await desk.session.signIn("bob")
    await server.connections.wait(for: 2)
  }

  private func seen(_ ids: [String], _ engine: SyncEngine<HintingServer>) async throws {
    for try await rows in engine.observe() where rows.map(\.id) == ids { return }
  }
}
