import CausewayData
import Foundation
import TestSupport
import Testing

/// Entries that are sent in batches keep their keys, their order and their own results.
@Suite(.timeLimit(.minutes(10)))
struct BatchTests {
  /// A server that takes batches; it applies mutations as `NoteServer` does.
  private struct BatchServer: RemoteSource {
    typealias Mutation = NoteMutation

    let server: NoteServer
    let batches = Log<[IdempotencyKey]>()
    var batchLimit = 10
    /// Fails requests of several mutations.
    var failure: RemoteFailure?
    /// The maximum number of results in a response.
    var results = Int.max
    /// The number of additional results after the results of the batch.
    var surplus = 0

    func snapshot(_ request: SyncRequest) async throws -> RemoteSnapshot<Note> {
      try await server.snapshot(request)
    }
    func changes(
      since version: SyncVersion, _ request: SyncRequest
    ) async throws -> RemoteChanges<Note> {
      try await server.changes(since: version, request)
    }
    func apply(
      _ mutation: NoteMutation, _ request: MutationRequest
    ) async throws -> MutationReceipt {
      batches.append([request.key])
      return try await server.apply(mutation, request)
    }
    func applyBatch(
      _ batch: [BatchedMutation<NoteMutation>]
    ) async throws -> [Result<MutationReceipt, RemoteFailure>] {
      batches.append(batch.map(\.request.key))
      if let failure { throw failure }
      var given: [Result<MutationReceipt, RemoteFailure>] = []
      for item in batch.prefix(results) {
        do {
          given.append(.success(try await server.apply(item.mutation, item.request)))
        } catch {
          let failure = RemoteFailure(error)
          given.append(.failure(failure))
          if failure.kind != .rejected { break }
        }
      }
      return given + Array(repeating: .success(.final), count: surplus)
    }
  }

  private func perform(_ count: Int, _ engine: SyncEngine<BatchServer>) async throws
    -> [IdempotencyKey]
  {
    var keys: [IdempotencyKey] = []
    for number in 0..<count {
      keys.append(try await engine.perform(.rename(id: "n", title: "\(number)")))
    }
    return keys
  }

  private func engine(_ desk: Desk, _ source: BatchServer) -> SyncEngine<BatchServer> {
    SyncEngine(source: source, table: notes, outbox: desk.outbox, pollInterval: nil)
  }

  @Test func `queued mutations are sent in batches, each under its own key and in order`()
    async throws
  {
    let desk = try await Desk()
    let source = BatchServer(server: desk.server)
    let engine = engine(desk, source)
    let keys = try await perform(25, engine)
    engine.start()
    desk.outbox.start()
    try await desk.waitUntilCovered()
    #expect(source.batches.all.map(\.count) == [10, 10, 5])
    #expect(await desk.server.applied.map(\.key) == keys)
  }

  @Test func `a refused mutation of a batch becomes a dead letter, and the others are applied`()
    async throws
  {
    let desk = try await Desk()
    let source = BatchServer(server: desk.server)
    let engine = engine(desk, source)
    await desk.server.refuse("remove")
    var keys = try await perform(2, engine)
    let refused = try await engine.perform(.remove(id: "n"))
    keys += try await perform(2, engine)
    engine.start()
    desk.outbox.start()
    try await desk.waitUntilCovered()
    #expect(try await desk.outbox.deadLetters().map(\.key) == [refused])
    #expect(await desk.server.applied.map(\.key) == keys)
    #expect(source.batches.all.count == 1)
  }

  @Test func `mutations behind a mutation that has to wait keep their order`() async throws {
    let desk = try await Desk()
    let source = BatchServer(server: desk.server)
    let engine = engine(desk, source)
    await desk.server.spoilMutations(.none, .fail(RemoteFailure(.busy)))
    let keys = try await perform(4, engine)
    desk.outbox.start()
    try await desk.wait(for: 1, "SELECT count(*) FROM sync_outbox WHERE attempts = 1")
    desk.outbox.retryNow()
    try await desk.waitUntilSent()
    #expect(await desk.server.applied.map(\.key) == keys)
    #expect(source.batches.all == [keys, Array(keys[1...])])
  }

  @Test func `mutations without a result are sent again`() async throws {
    let desk = try await Desk()
    var source = BatchServer(server: desk.server)
    source.results = 2
    let engine = engine(desk, source)
    let keys = try await perform(5, engine)
    desk.outbox.start()
    try await desk.waitUntilSent()
    #expect(await desk.server.applied.map(\.key) == keys)
    #expect(source.batches.all.map(\.count) == [5, 3, 1])
  }

  @Test(arguments: [RemoteFailure.Kind.rejected, .garbled, .serverFault, .timedOut])
  func `the mutations of a failed batch are sent one by one`(kind: RemoteFailure.Kind) async throws
  {
    let desk = try await Desk()
    var source = BatchServer(server: desk.server)
    source.failure = RemoteFailure(kind, "too large")
    let engine = engine(desk, source)
    let keys = try await perform(3, engine)
    desk.outbox.start()
    await source.batches.wait(for: 1)
    if [.serverFault, .timedOut].contains(kind) {
      try await desk.wait(for: 1, "SELECT count(*) FROM sync_outbox WHERE attempts = 1")
      desk.outbox.retryNow()
    }
    try await desk.waitUntilSent()
    #expect(source.batches.all == [keys] + keys.map { [$0] })
    #expect(await desk.server.applied.map(\.key) == keys)
    #expect(try await desk.outbox.deadLetters().isEmpty)
  }

  @Test func `without a network a batch is retried as a batch`() async throws {
    let desk = try await Desk()
    var source = BatchServer(server: desk.server)
    source.failure = RemoteFailure(.unreachable)
    let engine = engine(desk, source)
    let keys = try await perform(3, engine)
    desk.outbox.start()
    try await desk.wait(for: 1, "SELECT count(*) FROM sync_outbox WHERE attempts = 1")
    desk.outbox.retryNow()
    await source.batches.wait(for: 2)
    #expect(source.batches.all == [keys, keys])
  }

  @Test func `a mutation that cannot be decoded does not stop the batch around it`() async throws {
    let desk = try await Desk()
    let source = BatchServer(server: desk.server)
    let engine = engine(desk, source)
    let keys = try await perform(4, engine)
    let payload = Data(#"{"unknown": {}}"#.utf8)
    try await desk.persistence.write {
      try $0.execute("UPDATE sync_outbox SET payload = \(payload) WHERE key = \(keys[1])")
    }
    desk.outbox.start()
    try await desk.waitUntilSent()
    #expect(await desk.server.applied.map(\.key) == [keys[0], keys[2], keys[3]])
    #expect(try await desk.outbox.deadLetters().map(\.key) == [keys[1]])
  }

  @Test func `a surplus result does not count for a mutation that cannot be decoded`() async throws
  {
    let desk = try await Desk()
    var source = BatchServer(server: desk.server)
    source.surplus = 1
    let engine = engine(desk, source)
    let keys = try await perform(4, engine)
    let payload = Data(#"{"unknown": {}}"#.utf8)
    try await desk.persistence.write {
      try $0.execute("UPDATE sync_outbox SET payload = \(payload) WHERE key = \(keys[2])")
    }
    desk.outbox.start()
    try await desk.waitUntilSent()
    #expect(await desk.server.applied.map(\.key) == [keys[0], keys[1], keys[3]])
    #expect(try await desk.outbox.deadLetters().map(\.key) == [keys[2]])
  }

  @Test func `a batch of large payloads from memory is divided`() async throws {
    let desk = try await Desk()
    let sends = Log<Int>()
    let gate = Gate()
    desk.outbox.register("text", batchesOf: 10) { entries in
      sends.append(entries.count)
      await gate.waitUncancellably()
      return entries.map { _ in .success(.final) }
    }
    desk.outbox.start()
    for number in 0..<5 {
      try await desk.outbox.enqueue(
        OutboxDraft(collection: "text", kind: "send", payload: Data(count: 200_000)))
      // The entries after the first one are kept in memory while the first one is sent.
      if number == 0 { await sends.wait(for: 1) }
    }
    gate.open()
    try await desk.waitUntilCovered()
    #expect(sends.all == [1, 2, 2])
  }

  @Test func `a request has at most 1,000 entries`() async throws {
    let desk = try await Desk()
    let sends = Log<Int>()
    desk.outbox.register("text", batchesOf: .max) { entries in
      sends.append(entries.count)
      return entries.map { _ in .success(.final) }
    }
    for _ in 0..<1_001 {
      try await desk.outbox.enqueue(
        OutboxDraft(collection: "text", kind: "send", payload: Data("a".utf8)))
    }
    desk.outbox.start()
    try await desk.waitUntilCovered()
    #expect(sends.all == [1_000, 1])
  }

  @Test func `an answer without results is retried like a damaged answer`() async throws {
    let desk = try await Desk()
    let sends = Log<Int>()
    desk.outbox.register("text", batchesOf: 4) { entries in
      sends.append(entries.count)
      return sends.all.count == 1 ? [] : entries.map { _ in .success(.final) }
    }
    for _ in 0..<4 {
      try await desk.outbox.enqueue(
        OutboxDraft(collection: "text", kind: "send", payload: Data("a".utf8)))
    }
    desk.outbox.start()
    try await desk.wait(for: 1, "SELECT count(*) FROM sync_outbox WHERE attempts = 1")
    desk.outbox.retryNow()
    try await desk.waitUntilCovered()
    #expect(sends.all == [4, 4])
  }

  @Test func `a batch of large payloads is divided`() async throws {
    let desk = try await Desk()
    let sends = Log<Int>()
    desk.outbox.register("text", batchesOf: 10) { entries in
      sends.append(entries.count)
      return entries.map { _ in .success(.final) }
    }
    for _ in 0..<5 {
      try await desk.outbox.enqueue(
        OutboxDraft(collection: "text", kind: "send", payload: Data(count: 200_000)))
    }
    desk.outbox.start()
    try await desk.waitUntilCovered()
    #expect(sends.all == [2, 2, 1])
  }
}
