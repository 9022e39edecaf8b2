import CausewayDataTesting
import CausewaySQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CausewayData

private let one = Berth(id: 1, name: "one")
private let two = Berth(id: 2, name: "two")

@Suite(.timeLimit(.minutes(10)))
struct ReadingAndWritingTests {
  /// A response that reports when it is requested, and waits.
  private func oldAnswer(_ asked: Gate, _ gate: Gate) -> NetworkAnswer {
    .closure { _ in
      asked.open()
      await gate.wait()
      return NetworkResponse(status: 200, body: Array(#"[{"id":1,"name":"old"}]"#.utf8))
    }
  }

  @Test func `a missing token is an error of the session or of its authentication`() {
    guard case .session(.signedOut) = DataError(AuthSessionError.signedOut) else {
      Issue.record("signedOut is \(DataError(AuthSessionError.signedOut))")
      return
    }
    guard case .authentication(.refused("revoked")) = DataError(AuthSessionError.refused("revoked"))
    else {
      Issue.record("refused is \(DataError(AuthSessionError.refused("revoked")))")
      return
    }
  }

  @Test func `cache first reads the network once and then the store`() async throws {
    let harbour = try await Harbour()
    harbour.network.on(.get, "/berths", .json([one]), .json([two]))
    #expect(try await harbour.reader.read(harbour.berths).get() == [one])
    #expect(try await harbour.reader.read(harbour.berths).get() == [one])
    #expect(try await harbour.stored() == [one])
    #expect(harbour.network.requests.count == 1)
  }

  @Test func `network only does not return stored data, even when the network fails`()
    async throws
  {
    let harbour = try await Harbour()
    try await harbour.put(one)
    harbour.network.on(
      .get, "/berths", .json([two]), .failure(NetworkError(.notConnected, message: "offline")))
    #expect(try await harbour.reader.read(harbour.berths, policy: .networkOnly).get() == [two])
    let failed = await harbour.reader.read(harbour.berths, policy: .networkOnly)
    guard case .failure(.network(let error)) = failed else {
      Issue.record("\(failed)")
      return
    }
    #expect(error.kind == .notConnected)
    #expect(try await harbour.stored() == [two])
  }

  @Test func `cache only sends no request`() async throws {
    let harbour = try await Harbour()
    guard case .failure(.notStored) = await harbour.reader.read(harbour.berths, policy: .cacheOnly)
    else {
      Issue.record("read something")
      return
    }
    try await harbour.put(one)
    #expect(try await harbour.reader.read(harbour.berths, policy: .cacheOnly).get() == [one])
    #expect(harbour.network.requests.isEmpty)
  }

  @Test func `stale while revalidate returns stored data and stores the new data once`()
    async throws
  {
    let harbour = try await Harbour()
    try await harbour.put(one)
    let gate = Gate()
    harbour.network.on(
      .get, "/berths",
      .closure { _ in
        await gate.wait()
        return NetworkResponse(status: 200, body: Array(#"[{"id":2,"name":"two"}]"#.utf8))
      })
    for _ in 0..<5 {
      let read = await harbour.reader.read(harbour.berths, policy: .staleWhileRevalidate)
      #expect(try read.get() == [one])
    }
    gate.open()
    await harbour.reader.refreshesEnded()
    #expect(try await harbour.stored() == [two])
    #expect(harbour.network.requests.count == 1)
    #expect(
      try await harbour.reader.read(harbour.berths, policy: .staleWhileRevalidate).get() == [two])
    await harbour.reader.refreshesEnded()
    #expect(harbour.network.requests.count == 2)
  }

  @Test(arguments: ReadPolicy.allCases.filter { $0 != .cacheOnly })
  func `concurrent reads of the same data share a request`(_ policy: ReadPolicy) async throws {
    let harbour = try await Harbour()
    let (asked, gate) = (Gate(), Gate())
    harbour.network.on(.get, "/berths", oldAnswer(asked, gate), .json([two]))
    let (reader, berths) = (harbour.reader, harbour.berths)
    let first = Task { await reader.read(berths, policy: policy) }
    await asked.wait()
    let others = (0..<20).map { _ in Task { await reader.read(berths, policy: policy) } }
    // The response to a read with this policy must be newer than the call.
    let isNew = policy == .networkOnly
    if isNew {
      for other in others { #expect(try await other.value.get() == [two]) }
    } else {
      await until { reader.callers(of: berths) == 21 }
    }
    gate.open()
    #expect(try await first.value.get() == (isNew ? [two] : [Berth(id: 1, name: "old")]))
    for other in others { #expect(try await other.value.get() == first.value.get()) }
    #expect(isNew || harbour.network.requests.count == 1)
  }

  @Test func `only the last cancelled read cancels the shared request`() async throws {
    let harbour = try await Harbour()
    let (asked, gate, cancelled) = (Gate(), Gate(), Gate())
    harbour.network.on(
      .get, "/berths",
      .closure { _ in
        asked.open()
        await withTaskCancellationHandler {
          await gate.wait()
        } onCancel: {
          cancelled.open()
        }
        try Task.checkCancellation()
        return NetworkResponse(status: 200, body: Array(#"[{"id":1,"name":"one"}]"#.utf8))
      })
    let (reader, berths) = (harbour.reader, harbour.berths)
    let reads = (0..<3).map { _ in Task { await reader.read(berths) } }
    await asked.wait()
    await until { reader.callers(of: berths) == 3 }
    reads[0].cancel()
    guard case .failure(.cancelled) = await reads[0].value else {
      Issue.record("not cancelled")
      return
    }
    #expect(!cancelled.isPassable)
    reads[1].cancel()
    _ = await reads[1].value
    #expect(!cancelled.isPassable)
    reads[2].cancel()
    _ = await reads[2].value
    await cancelled.wait()
    await reader.refreshesEnded()
    #expect(try await harbour.stored().isEmpty)
    // A later read sends its own request.
    gate.open()
    #expect(try await reader.read(berths).get() == [one])
  }

  @Test func `a read after a write does not share a request from before it`() async throws {
    let harbour = try await Harbour()
    let (asked, gate) = (Gate(), Gate())
    harbour.network.on(.get, "/berths", oldAnswer(asked, gate), .json([two]))
    harbour.network.on(.delete, "/berths/1", .status(204))
    let (reader, berths) = (harbour.reader, harbour.berths)
    let first = Task { await reader.read(berths) }
    await asked.wait()
    _ = await harbour.writer.write(WriteOperation(.delete, "/berths/\(1)", invalidates: ["berths"]))
    let second = Task { await reader.read(berths) }
    await until { reader.callers(of: berths) == 2 }
    gate.open()
    #expect(try await second.value.get() == [two])
    #expect(try await first.value.get() == [two])
    #expect(harbour.network.requests.count == 3)
  }

  @Test func `a background refresh continues when a read that shares it is cancelled`()
    async throws
  {
    let harbour = try await Harbour()
    try await harbour.put(one)
    let (asked, gate) = (Gate(), Gate())
    harbour.network.on(.get, "/berths", oldAnswer(asked, gate))
    let (reader, berths) = (harbour.reader, harbour.berths)
    _ = await reader.read(berths, policy: .staleWhileRevalidate)
    await asked.wait()
    reader.freshness.invalidate(["berths"])
    let read = Task { await reader.read(berths) }
    await until { reader.callers(of: berths) == 1 }
    read.cancel()
    _ = await read.value
    gate.open()
    await reader.refreshesEnded()
    #expect(try await harbour.stored() == [Berth(id: 1, name: "old")])
    #expect(harbour.failures.all.isEmpty)
  }

  @Test func `a failed background refresh is reported and keeps the stored data`() async throws {
    let harbour = try await Harbour()
    try await harbour.put(one)
    harbour.network.on(.get, "/berths", .status(500))
    _ = await harbour.reader.read(harbour.berths, policy: .staleWhileRevalidate)
    await harbour.reader.refreshesEnded()
    #expect(harbour.failures.all.count == 1)
    #expect(try await harbour.stored() == [one])
  }

  @Test func `a write makes the data that depends on it stale`() async throws {
    let harbour = try await Harbour()
    harbour.network.on(.get, "/berths", .json([one]), .json([one, two]))
    harbour.network.on(.post, "/berths", .json(two, status: 201))
    _ = await harbour.reader.read(harbour.berths)
    let created = await harbour.writer.write(
      WriteOperation(.post, "/berths", body: two, invalidates: ["berths"]), returning: Berth.self
    ) { try $1.upsert($0, into: "berth") }
    #expect(try created.get() == two)
    #expect(try await harbour.stored() == [one, two])
    #expect(try await harbour.reader.read(harbour.berths).get() == [one, two])
    #expect(try await harbour.reader.read(harbour.berths).get() == [one, two])
    #expect(harbour.network.requests.map(\.method) == [.get, .post, .get])
    let other = await harbour.writer.write(
      WriteOperation(.post, "/berths", body: two, invalidates: ["ships"]))
    #expect(throws: Never.self) { try other.get() }
    _ = await harbour.reader.read(harbour.berths)
    #expect(harbour.network.requests.map(\.method) == [.get, .post, .get, .post])
  }

  @Test func `a response that a write has made stale is requested again and not stored`()
    async throws
  {
    let harbour = try await Harbour()
    let asked = Gate()
    let gate = Gate()
    harbour.network.on(.get, "/berths", oldAnswer(asked, gate), .json([two]))
    harbour.network.on(.delete, "/berths/1", .status(204))
    let (reader, berths) = (harbour.reader, harbour.berths)
    let read = Task { await reader.read(berths) }
    await asked.wait()
    let deleted = await harbour.writer.write(
      WriteOperation(.delete, "/berths/\(1)", invalidates: ["berths"]))
    #expect(throws: Never.self) { try deleted.get() }
    gate.open()
    #expect(try await read.value.get() == [two])
    #expect(try await harbour.stored() == [two])
  }

  @Test func `data that changes with every response throws an error instead of looping forever`()
    async throws
  {
    let harbour = try await Harbour()
    let freshness = harbour.reader.freshness
    harbour.network.on(
      .get, "/berths",
      .closure { _ in
        freshness.invalidate(["berths"])
        return NetworkResponse(status: 200, body: Array("[]".utf8))
      })
    guard case .failure(.overtaken) = await harbour.reader.read(harbour.berths) else {
      Issue.record("stored an answer that was out of date")
      return
    }
    #expect(harbour.network.requests.count == 3)
  }

  @Test(arguments: [
    (NetworkError(.timedOut, message: ""), true),
    (NetworkError(.connectionLost, message: ""), true),
    (NetworkError(.status, message: "", status: 502), true),
    (NetworkError(.status, message: "", status: 422), false),
    (NetworkError(.cannotConnect, message: ""), false),
  ])
  func `a write that may have succeeded also makes data stale`(
    _ error: NetworkError, _ isOutOfDate: Bool
  ) async throws {
    let harbour = try await Harbour()
    harbour.network.on(.get, "/berths", .json([one]))
    harbour.network.on(.post, "/berths", .failure(error))
    _ = await harbour.reader.read(harbour.berths)
    let written = await harbour.writer.write(
      WriteOperation(.post, "/berths", body: two, invalidates: ["berths"]))
    guard case .failure(.network(error)) = written else {
      Issue.record("\(written)")
      return
    }
    _ = await harbour.reader.read(harbour.berths)
    #expect(harbour.network.requests.count == (isOutOfDate ? 3 : 2))
  }

  @Test func `a repeated operation has the same key, and another operation a new key`() async throws
  {
    let harbour = try await Harbour()
    harbour.network.on(
      .post, "/berths", .failure(NetworkError(.timedOut, message: "")), .status(204))
    let operation = WriteOperation(.post, "/berths", body: one, invalidates: ["berths"])
    _ = await harbour.writer.write(operation)
    _ = await harbour.writer.write(operation)
    _ = await harbour.writer.write(
      WriteOperation(.post, "/berths", body: one, invalidates: ["berths"]))
    let keys = harbour.network.requests.map(\.idempotencyKey)
    #expect(keys[0] != nil && keys[0] == keys[1] && keys[1] != keys[2])
  }

  @Test func `reads and writes of an account use its token`() async throws {
    let harbour = try await Harbour(withSession: true)
    try await harbour.session.signIn("ada")
    let accounts = Log<AccountID?>()
    let response = NetworkAnswer.closure { _ in
      accounts.append(SessionTicket.runningAccount)
      return NetworkResponse(status: 200, body: Array(#"[{"id":1,"name":"one"}]"#.utf8))
    }
    harbour.network.on(.get, "/berths", response)
    harbour.network.on(.post, "/berths", response)
    _ = await harbour.reader.read(harbour.berths)
    _ = await harbour.reader.read(harbour.berths, policy: .staleWhileRevalidate)
    await harbour.reader.refreshesEnded()
    _ = await harbour.writer.write(
      WriteOperation(.post, "/berths", body: two, invalidates: ["berths"]))
    #expect(accounts.all == ["ada", "ada", "ada"])
    #expect(SessionTicket.runningAccount == nil)
  }

  @Test func `a response that arrives after the logout is not stored`() async throws {
    let harbour = try await Harbour(withSession: true)
    try await harbour.session.signIn("ada")
    let asked = Gate()
    let gate = Gate()
    harbour.network.on(
      .get, "/berths",
      .closure { _ in
        asked.open()
        await gate.wait()
        return NetworkResponse(status: 200, body: Array(#"[{"id":1,"name":"ada's"}]"#.utf8))
      })
    let (reader, berths) = (harbour.reader, harbour.berths)
    let read = Task { await reader.read(berths) }
    await asked.wait()
    try await harbour.session.logout()
    gate.open()
    guard case .failure(.session) = await read.value else {
      Issue.record("stored")
      return
    }
    #expect(try await harbour.stored().isEmpty)
    guard case .failure(.session(.signedOut)) = await reader.read(berths) else {
      Issue.record("read without a session")
      return
    }
  }

  @Test func `an error of the store is returned as a typed result and stores nothing`() async throws
  {
    let harbour = try await Harbour()
    harbour.network.on(.get, "/berths", .json([one, one]))
    let read = await harbour.reader.read(harbour.berths)
    guard case .failure(.persistence(let error)) = read else {
      Issue.record("\(read)")
      return
    }
    #expect(error.kind == .constraint(.unique))
    #expect(try await harbour.stored().isEmpty)
  }

  @Test func `a cancelled read returns a typed result`() async throws {
    let harbour = try await Harbour()
    let asked = Gate()
    harbour.network.on(
      .get, "/berths",
      .closure { _ in
        asked.open()
        await Gate().wait()
        try Task.checkCancellation()
        return NetworkResponse(status: 200)
      })
    let (reader, berths) = (harbour.reader, harbour.berths)
    let read = Task { await reader.read(berths) }
    await asked.wait()
    read.cancel()
    guard case .failure(.cancelled) = await read.value else {
      Issue.record("not cancelled")
      return
    }
  }

  @Test func `a response to an earlier request does not replace one to a later request`()
    async throws
  {
    let harbour = try await Harbour()
    let (asked, gate) = (Gate(), Gate())
    harbour.network.on(.get, "/berths", oldAnswer(asked, gate), .json([two]))
    let (reader, berths) = (harbour.reader, harbour.berths)
    let slow = Task { await reader.read(berths, policy: .networkOnly) }
    await asked.wait()
    #expect(try await reader.read(berths, policy: .networkOnly).get() == [two])
    gate.open()
    // The slow read returns the newer data instead of its own response.
    #expect(try await slow.value.get() == [two])
    #expect(try await harbour.stored() == [two])
  }

  @Test func `rows read before a newer response was stored do not count as fresh`() async throws {
    let harbour = try await Harbour()
    harbour.network.on(.get, "/berths", .json([two]))
    try await harbour.put(one)
    harbour.reader.freshness.invalidate(["berths"])
    // On the first read, a response arrives before the reader checks whether the rows are fresh.
    let isFirst = Mutex(true)
    var held = harbour.berths
    held.load = { [berths = harbour.berths, reader = harbour.reader] transaction in
      let rows = try berths.load(transaction)
      if isFirst.withLock({ first in
        defer { first = false }; return first
      }) {
        reader.freshness.noteRefresh(berths.key, by: reader.freshness.request())
      }
      return rows
    }
    #expect(try await harbour.reader.read(held).get() == [two])
  }

  @Test func `a write tells caches once, after its transaction`() async throws {
    let harbour = try await Harbour()
    harbour.network.on(.post, "/berths", .json(two, status: 201))
    let cache = ResourceCache<Int, String>(loader: { "\($0)" })
    _ = try await cache.value(for: 1)
    let compared = Log<Int>()
    let inside = Log<Int>()
    let registration = harbour.reader.freshness.join(cache) { key in
      compared.append(key)
      return ["berths"]
    }
    let written = await harbour.writer.write(
      WriteOperation(.post, "/berths", body: two, invalidates: ["berths"]), returning: Berth.self
    ) { _, _ in inside.append(compared.all.count) }
    withExtendedLifetime(registration) {
      #expect(throws: Never.self) { try written.get() }
      #expect(inside.all == [0])
      #expect(compared.all == [1])
      #expect(cache.status(of: 1).isStale)
    }
  }

  @Test func `a write whose response cannot be stored tells caches too`() async throws {
    struct Refused: Error {}
    let harbour = try await Harbour()
    harbour.network.on(.post, "/berths", .json(two, status: 201))
    let cache = ResourceCache<Int, String>(loader: { "\($0)" })
    _ = try await cache.value(for: 1)
    let registration = harbour.reader.freshness.join(cache) { _ in ["berths"] }
    let written = await harbour.writer.write(
      WriteOperation(.post, "/berths", body: two, invalidates: ["berths"]), returning: Berth.self
    ) { _, _ in throw Refused() }
    withExtendedLifetime(registration) {
      #expect(throws: DataError.self) { try written.get() }
      #expect(cache.status(of: 1).isStale)
    }
  }

  @Test func `reads with other tags do not share a request`() async throws {
    let harbour = try await Harbour()
    let (asked, gate) = (Gate(), Gate())
    harbour.network.on(.get, "/berths", oldAnswer(asked, gate), .json([two]))
    let reader = harbour.reader
    var untagged = harbour.berths
    untagged.tags = []
    let tagged = harbour.berths
    let first = Task { [untagged] in await reader.read(untagged) }
    await asked.wait()
    // The first request is still waiting for its answer.
    #expect(try await reader.read(tagged).get() == [two])
    gate.open()
    _ = try await first.value.get()
    #expect(harbour.network.requests.count == 2)
  }
}

extension DataReader {
  /// The number of callers that wait for the operation's request.
  fileprivate func callers<Response, Value>(of operation: ReadOperation<Response, Value>) -> Int {
    waiting(for: operation.key)
  }
}
