import CausewayData
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CausewaySync

/// Rule 10 for the outbox: its entries never exceed the limit.
@Suite("Limit of the outbox", .timeLimit(.minutes(10))) struct OutboxLimitTests {
  private func expectFull(
    _ limit: Int, _ operation: () async throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let error = await thrown(operation) as? OutboxError
    #expect(error == .full(limit), sourceLocation: sourceLocation)
  }

  @Test func `acknowledged entries count towards the limit until a read covers them`() async throws
  {
    let desk = try await Desk(limit: 2)
    let engine = desk.engine()
    desk.outbox.start()
    // No read happens, because the engine was not started.
    for name in ["a", "b"] { try await engine.perform(.write(Note(id: name))) }
    try await desk.waitUntilSent()
    #expect(try await desk.outbox.entries().map(\.state) == [.acknowledged, .acknowledged])
    await expectFull(2) { try await engine.perform(.write(Note(id: "c"))) }
    // A rejected mutation leaves no row either.
    #expect(try await engine.rows(.cacheOnly).map(\.id) == ["a", "b"])
    try await engine.refresh()
    try await engine.perform(.write(Note(id: "c")))
    #expect(try await engine.rows(.cacheOnly).map(\.id) == ["a", "b", "c"])
  }

  @Test func `an existing key adds no entry`() async throws {
    let desk = try await Desk(limit: 1)
    let draft = OutboxDraft(
      key: "k", collection: "text", kind: "send", payload: Data("a".utf8))
    let entry = try await desk.outbox.enqueue(draft)
    #expect(try await desk.outbox.enqueue(draft) == entry)
    var other = draft
    other.key = "l"
    await expectFull(1) { try await desk.outbox.enqueue(other) }
  }

  @Test func `entries of an earlier run count before they are loaded`() async throws {
    let first = try await Desk()
    let draft = { (number: Int) in
      OutboxDraft(collection: "text", kind: "send", payload: Data("\(number)".utf8))
    }
    for number in 0..<3 { try await first.outbox.enqueue(draft(number)) }
    let second = try await Desk(limit: 3, persistence: first.persistence)
    await expectFull(3) { try await second.outbox.enqueue(draft(3)) }
  }

  @Test func `gaps in the sequence numbers do not count`() async throws {
    let desk = try await Desk(limit: 3)
    let draft = { (collection: String) in
      OutboxDraft(collection: collection, kind: "send", payload: Data("a".utf8))
    }
    // An entry without a sender stays, and many entries after it come and go.
    try await desk.outbox.enqueue(draft("stuck"))
    desk.outbox.register("text") { _ in .final }
    desk.outbox.start()
    for _ in 0..<10 {
      try await desk.outbox.enqueue(draft("text"))
      try await desk.wait(for: 1, "SELECT count(*) FROM sync_outbox")
    }
    for _ in 0..<2 { try await desk.outbox.enqueue(draft("stuck")) }
    await expectFull(3) { try await desk.outbox.enqueue(draft("stuck")) }
  }

  @Test func `entries of one account do not block another account`() async throws {
    let desk = try await Desk(account: "ada", limit: 1)
    let draft = { OutboxDraft(collection: "text", kind: "send", payload: Data("a".utf8)) }
    try await desk.outbox.enqueue(draft())
    try await desk.persistence.write {
      try $0.execute("UPDATE sync_outbox SET account = 'bob'")
    }
    try await desk.outbox.enqueue(draft())
    await expectFull(1) { try await desk.outbox.enqueue(draft()) }
  }

  @Test func `a dead letter is not sent again above the limit`() async throws {
    let desk = try await Desk(limit: 1)
    let draft = { (key: IdempotencyKey) in
      OutboxDraft(key: key, collection: "text", kind: "send", payload: Data("a".utf8))
    }
    desk.outbox.register("text") { _ in throw RemoteFailure(.rejected) }
    desk.outbox.start()
    try await desk.outbox.enqueue(draft("a"))
    try await desk.wait(for: 1, "SELECT count(*) FROM sync_dead_letter")
    try await desk.outbox.enqueue(OutboxDraft(collection: "stuck", kind: "send", payload: Data()))
    await expectFull(1) { try await desk.outbox.resend("a") }
    #expect(try await desk.outbox.deadLetters().map(\.key) == ["a"])
  }

  @Test func `an entry is stored even if the loop ended before a receipt was stored`()
    async throws
  {
    let desk = try await Desk(limit: 1)
    let draft = { OutboxDraft(collection: "text", kind: "send", payload: Data("a".utf8)) }
    desk.outbox.register("text", OutboxRoute(send: { _ in [.success(.coveredByNextRead)] }))
    let loop = Mutex<Task<Void, Never>?>(nil)
    let isAsked = Log<Void>()
    let started = Gate()
    // The outbox asks its observers just before it plans to store the receipt.
    let observer = desk.outbox.registry.add(
      AskedObserver {
        loop.withLock(\.self)?.cancel()
        isAsked.append(())
      }, of: "text", in: .all)
    try await desk.outbox.enqueue(draft())
    let task = Task {
      await started.wait()
      await desk.outbox.run()
    }
    loop.withLock { $0 = task }
    started.open()
    await isAsked.wait(for: 1)
    await task.value
    // This call stores the receipt. The entry stays, so the outbox is still full.
    await expectFull(1) { try await desk.outbox.enqueue(draft()) }
    #expect(try await desk.outbox.entries().map(\.state) == [.acknowledged])
    withExtendedLifetime(observer) {}
  }

  @Test func `an entry is stored even if the loop ended while a receipt was stored`() async throws {
    let loop = Mutex<Task<Void, Never>?>(nil)
    let isAnswered = Log<Void>()
    let started = Gate()
    let persistence = HookedPersistence(
      service: try await makeStore(),
      beforeWrite: { if !isAnswered.all.isEmpty { loop.withLock(\.self)?.cancel() } })
    let desk = try await Desk(limit: 1, persistence: persistence)
    let draft = { OutboxDraft(collection: "text", kind: "send", payload: Data("a".utf8)) }
    desk.outbox.register(
      "text",
      OutboxRoute(send: { _ in
        isAnswered.append(())
        return [.success(.coveredByNextRead)]
      }))
    try await desk.outbox.enqueue(draft())
    let task = Task {
      await started.wait()
      await desk.outbox.run()
    }
    loop.withLock { $0 = task }
    started.open()
    await task.value
    #expect(try await desk.outbox.entries().map(\.state) == [.waiting])
    await expectFull(1) { try await desk.outbox.enqueue(draft()) }
    #expect(try await desk.outbox.entries().map(\.state) == [.acknowledged])
  }
}

/// Calls a closure when the outbox asks whether a read is expected, and answers no.
private struct AskedObserver: OutboxObserver {
  let asked: @Sendable () -> Void

  var expectsRead: Bool {
    asked()
    return false
  }

  func changed(_ change: OutboxChange) {}
  func reached() {}
}
