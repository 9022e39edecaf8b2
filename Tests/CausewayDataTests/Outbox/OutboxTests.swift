import CausewayData
import CausewaySQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct OutboxTests {
  private func draft(
    _ text: String, scope: SyncScope = .all, key: IdempotencyKey = IdempotencyKey()
  ) -> OutboxDraft {
    OutboxDraft(key: key, collection: "text", scope: scope, kind: "send", payload: Data(text.utf8))
  }

  private func texts(_ log: Log<OutboxEntry>) -> [String] {
    log.all.map { String(decoding: $0.payload, as: UTF8.self) }
  }

  @Test func `acknowledged entries are sent in order after a restart`() async throws {
    let path = NSTemporaryDirectory() + "outbox-\(UUID().uuidString).sqlite"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var first: SQLiteService? = try await SQLiteService(path: path, migrations: noteMigrations)
    var desk: Desk? = try await Desk(persistence: first)
    for number in 1...20 { try await desk?.outbox.enqueue(draft("\(number)")) }
    try await first?.close()
    (first, desk) = (nil, nil)

    let again = try await Desk(
      persistence: try await SQLiteService(path: path, migrations: noteMigrations))
    let sent = Log<OutboxEntry>()
    again.outbox.register("text") { entry in
      sent.append(entry)
      return .final
    }
    again.outbox.start()
    try await again.waitUntilCovered()
    #expect(texts(sent) == (1...20).map(String.init))
  }

  @Test func `a mutation performed twice under one key is stored and sent once`() async throws {
    let desk = try await Desk()
    let first = try await desk.outbox.enqueue(draft("a", key: "k"))
    let second = try await desk.outbox.enqueue(draft("b", key: "k"))
    #expect(first == second)
    #expect(try await desk.outbox.entries().count == 1)
  }

  @Test func `after network failures a mutation has all its attempts left, also after a restart`()
    async throws
  {
    let desk = try await Desk()
    let sends = Log<String>()
    desk.outbox.register("text") { _ in
      sends.append("a")
      throw RemoteFailure(sends.all.count <= 10 ? .unreachable : .garbled, "a sign-in page")
    }
    try await desk.outbox.enqueue(draft("a", key: "k"))
    desk.outbox.start()
    for attempts in 1..<19 {
      try await desk.wait(for: attempts, "SELECT attempts FROM sync_outbox")
      desk.outbox.retryNow()
    }
    try await desk.wait(for: 19, "SELECT attempts FROM sync_outbox")
    #expect(try await desk.outbox.deadLetters().isEmpty)

    let again = try await Desk(persistence: desk.persistence)
    again.wall.date += 3600
    let rejections = again.outbox.rejections()
    again.outbox.register("text") { _ in throw RemoteFailure(.garbled, "a sign-in page") }
    again.outbox.start()
    for await letter in rejections {
      #expect(letter.attempts == 20)
      #expect(letter.reason == .garbled)
      break
    }
  }

  @Test func `a mutation whose answer was lost is resent under its key, and applied once`()
    async throws
  {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.spoilMutations(.failAfterwards(RemoteFailure(.timedOut)))
    engine.start()
    desk.outbox.start()
    try await engine.perform(.write(Note(id: "n")))
    await desk.clock.sleepers(1)
    await desk.server.arrivals.wait(for: 1)
    try await desk.wait(for: 1, "SELECT attempts FROM sync_outbox")
    desk.outbox.retryNow()
    try await desk.waitUntilCovered()
    #expect(desk.server.arrivals.all.count == 2)
    #expect(Set(desk.server.arrivals.all).count == 1)
    #expect(await desk.server.applied.count == 1)
  }

  @Test func `a rejected entry becomes a dead letter, is reported and blocks no other entry`()
    async throws
  {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.refuse("remove")
    let rejections = desk.outbox.rejections()
    try await engine.perform(.write(Note(id: "n", title: "kept")))
    let refused = try await engine.perform(.remove(id: "n"))
    try await engine.perform(.star(id: "n"))
    engine.start()
    desk.outbox.start()
    var told = rejections.makeAsyncIterator()
    let letter = try #require(await told.next())
    #expect(letter.key == refused)
    #expect(letter.reason == .rejected)
    #expect(letter.message == "remove is not allowed")
    try await desk.waitUntilCovered()
    #expect(await desk.server.notes() == [Note(id: "n", title: "kept", stars: 1)])
    #expect(try await desk.outbox.deadLetters() == [letter])
    try await desk.outbox.discard(refused)
    #expect(try await desk.outbox.deadLetters().isEmpty)
    await #expect(throws: OutboxError.notFound(refused)) {
      try await desk.outbox.discard(refused)
    }
  }

  @Test func `a dead letter that is resent shows its effect again`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.spoilMutations(.fail(RemoteFailure(.conflict, "not now")))
    let rejections = desk.outbox.rejections()
    let key = try await engine.perform(.write(Note(id: "n", title: "again")))
    desk.outbox.start()
    for await _ in rejections { break }
    #expect(try await engine.rows(.cacheOnly).isEmpty)
    let revived = try await desk.outbox.resend(key)
    #expect(revived != key)
    #expect(try await engine.rows(.cacheOnly).map(\.record.title) == ["again"])
    try await desk.waitUntilSent()
    #expect(await desk.server.applied.map(\.key) == [revived])
  }

  @Test func `scopes are sent in parallel, and a failing scope delays only itself`() async throws {
    let desk = try await Desk(parallelScopes: 3)
    let (gate, sent) = (Gate(), Log<OutboxEntry>())
    desk.outbox.register("text") { entry in
      sent.append(entry)
      if entry.scope == "slow" { await gate.wait() }
      if entry.scope == "bad" { throw RemoteFailure(.serverFault) }
      return .final
    }
    for scope in ["slow", "bad", "good"] as [SyncScope] {
      for number in 1...2 {
        try await desk.outbox.enqueue(draft("\(scope) \(number)", scope: scope))
      }
    }
    desk.outbox.start()
    await sent.wait(for: 4)
    #expect(Set(texts(sent)) == ["slow 1", "bad 1", "good 1", "good 2"])
    gate.open()
    await sent.wait(for: 5)
    #expect(texts(sent).last == "slow 2")
  }

  @Test func `a request without a response times out`() async throws {
    let desk = try await Desk(timeout: .seconds(30))
    let engine = desk.engine()
    let arrived = Log<Void>()
    await desk.server.spoilMutations(.never(arrived: arrived))
    try await engine.perform(.write(Note(id: "n")))
    desk.outbox.start()
    await arrived.wait(for: 1)
    await desk.clock.sleepers(1)
    desk.clock.advance(by: .seconds(30))
    try await desk.wait(for: 1, "SELECT attempts FROM sync_outbox")
    await desk.clock.sleepers(1)
    desk.clock.advance(by: .seconds(1))
    try await desk.waitUntilSent()
    #expect(await desk.server.applied.count == 1)
  }

  @Test func `a clock that was set back does not delay a retry for years`() async throws {
    let desk = try await Desk()
    let sent = Log<OutboxEntry>()
    try await desk.outbox.enqueue(draft("a"))
    // The entry was written before the clock was set back by ten years.
    let date = desk.wall.date.addingTimeInterval(10 * 365 * 86_400)
    try await desk.persistence.write {
      try $0.execute("UPDATE sync_outbox SET attempts = 1, nextAttempt = \(date)")
    }
    desk.outbox.register("text") { entry in
      sent.append(entry)
      return .final
    }
    desk.outbox.start()
    // The report of mutations without a sender waits too.
    await desk.clock.sleepers(2)
    #expect(sent.all.isEmpty)
    desk.clock.advance(by: .seconds(300))
    try await desk.waitUntilCovered()
    #expect(sent.all.count == 1)
  }

  @Test func `a full outbox throws an error that says so`() async throws {
    let desk = try await Desk(limit: 2)
    let results = await withTaskGroup(of: (any Error)?.self) { group in
      for number in 0..<10 {
        group.addTask { await thrown { try await desk.outbox.enqueue(draft("\(number)")) } }
      }
      return await group.reduce(into: []) { $0.append($1 as? OutboxError) }
    }
    #expect(results.filter { $0 == .full(2) }.count == 8)
    #expect(results.filter { $0 == nil }.count == 2)
    desk.outbox.register("text") { _ in .final }
    desk.outbox.start()
    try await desk.waitUntilCovered()
    // The outbox stays full until it has recorded that the sent entries were removed.
    while let error = await thrown({ try await desk.outbox.enqueue(draft("more")) }) {
      guard case .full? = error as? OutboxError else {
        Issue.record(error)
        return
      }
      await Task.yield()
    }
    try await desk.waitUntilCovered()
  }

  @Test func `without an account no mutation is accepted, and no entry of another account is sent`()
    async throws
  {
    let desk = try await Desk(account: nil)
    let error = await thrown { try await desk.outbox.enqueue(draft("a")) }
    guard case SessionError.signedOut? = error as? SessionError else {
      Issue.record("\(String(describing: error))")
      return
    }
    let sent = Log<OutboxEntry>()
    desk.outbox.register("text") { entry in
      sent.append(entry)
      return .final
    }
    try await desk.session.signIn("ada")
    try await desk.outbox.enqueue(draft("ada's"))
    try await desk.session.signIn("bob")
    try await desk.outbox.enqueue(draft("bob's"))
    desk.outbox.start()
    try await desk.wait(for: 0, "SELECT count(*) FROM sync_outbox WHERE account = 'bob'")
    #expect(texts(sent) == ["bob's"])
  }

  @Test func `an outbox without references is deallocated`() async throws {
    let session = SessionService(account: .local)
    let persistence = try await makeStore()
    weak var dropped: Outbox?
    do {
      let outbox = Outbox(persistence: persistence, session: session)
      outbox.start()
      dropped = outbox
      try await outbox.enqueue(draft("a"))
    }
    await until { dropped == nil }
  }

  @Test func `an entry is sent although the first read of the outbox failed`() async throws {
    let isUnreadable = Mutex(false)
    let persistence = HookedPersistence(
      service: try await makeStore(),
      beforeRead: {
        guard isUnreadable.withLock({ $0 }) else { return }
        throw PersistenceError(.other, message: "The disk does not answer.")
      })
    let desk = try await Desk(persistence: persistence)
    let sent = Log<OutboxEntry>()
    desk.outbox.register("text") { entry in
      sent.append(entry)
      return .final
    }
    try await desk.outbox.enqueue(draft("a"))
    isUnreadable.withLock { $0 = true }
    desk.outbox.start()
    await desk.clock.sleepers(1)
    isUnreadable.withLock { $0 = false }
    desk.clock.advance(by: .seconds(300))
    await sent.wait(for: 1)
    #expect(texts(sent) == ["a"])
  }

  @Test func `a collection without a sender does not block other collections`() async throws {
    let desk = try await Desk()
    let sent = Log<OutboxEntry>()
    let unknown = OutboxDraft(collection: "later", kind: "send", payload: Data("1".utf8))
    try await desk.outbox.enqueue(unknown)
    try await desk.outbox.enqueue(draft("2"))
    desk.outbox.register("text") { entry in
      sent.append(entry)
      return .final
    }
    desk.outbox.start()
    await sent.wait(for: 1)
    desk.outbox.register("later") { entry in
      sent.append(entry)
      return .final
    }
    try await desk.waitUntilCovered()
    #expect(texts(sent) == ["2", "1"])
  }

  @Test(arguments: [MutationReceipt.covered(by: 7), .coveredByNextRead, .final])
  func `an entry of a collection without reads is removed by any receipt`(
    receipt: MutationReceipt
  ) async throws {
    let desk = try await Desk()
    desk.outbox.register("text") { _ in receipt }
    try await desk.outbox.enqueue(draft("a"))
    desk.outbox.start()
    try await desk.waitUntilSent()
    #expect(try await desk.outbox.entries().isEmpty)
  }
}
