import CausewayData
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CausewayBasics
@testable import CausewaySync

/// Rule 3: a commit checks the session's epoch.
///
/// A logout changes the epoch, cancels work, wipes data and waits.
@Suite(.timeLimit(.minutes(10)))
struct SessionTests {
  @Test func `a stream that is not iterated yet misses no change`() async throws {
    let session = SessionService()
    let changes = session.changes()
    for account in ["ada", "bob"] as [AccountID] {
      try await session.signIn(account)
      try await session.logout()
    }
    var seen: [SessionChange] = []
    for await change in changes {
      seen.append(change)
      if seen.count == 5 { break }
    }
    #expect(
      seen == [
        .initial(nil), .signedIn("ada"), .signedOut("ada"), .signedIn("bob"), .signedOut("bob"),
      ])
  }

  @Test func `streams end with the service, and a stream is removed with its consumer`()
    async throws
  {
    let broadcast = Broadcast(1, buffering: .everything)
    do {
      let stream = broadcast.stream()
      #expect(broadcast.count == 1)
      for await _ in stream { break }
    }
    await until { broadcast.count == 0 }
    var session: SessionService? = SessionService(account: "ada")
    let changes = session?.changes()
    session = nil
    var seen: [SessionChange] = []
    for await change in try #require(changes) { seen.append(change) }
    #expect(seen == [.initial("ada")])
  }

  @Test func `a ticket becomes invalid when a logout is called, for the same account too`()
    async throws
  {
    let session = SessionService(account: "ada")
    let ticket = try #require(session.current)
    #expect(ticket.isCurrent)
    let held = Gate()
    session.add(SessionParticipant("slow") { _ in await held.wait() })
    let logout = Task { try await session.logout() }
    await until { !ticket.isCurrent }
    #expect(session.current == nil)
    held.open()
    try await logout.value
    let again = try await session.signIn("ada")
    #expect(again.isCurrent)
    #expect(!ticket.isCurrent)
    #expect(throws: SessionError.self) { try ticket.check() }
  }

  @Test func `a logout cancels first, then wipes, and returns when all participants are done`()
    async throws
  {
    let session = SessionService(account: "ada")
    let log = Log<String>()
    for name in ["a", "b"] {
      session.add(
        SessionParticipant(
          name, began: { log.append("\(name) begins \($0.account)") },
          ended: { log.append("\(name) ends \($0.account), \($0.isCurrent)") },
          wipe: {
            await Task.yield()
            log.append("\(name) wipes \($0)")
          }))
    }
    try await session.logout()
    #expect(
      log.all == [
        "a begins ada", "b begins ada", "a ends ada, false", "b ends ada, false",
        "a wipes only(ada)", "b wipes only(ada)",
      ])
  }

  @Test func `a logout whose task is cancelled still wipes`() async throws {
    let session = SessionService(account: "ada")
    let persistence = try await makeStore()
    let outbox = Outbox(persistence: persistence, session: session)
    try await outbox.enqueue(
      OutboxDraft(collection: "text", kind: "send", payload: Data("secret".utf8)))
    let (reached, gate) = (Log<Void>(), Gate())
    session.add(
      SessionParticipant("slow") { _ in
        reached.append(())
        await gate.waitUncancellably()
        try Task.checkCancellation()
      })
    let logout = Task { try await session.logout() }
    logout.cancel()
    gate.open()
    try await logout.value
    #expect(reached.all.count >= 1)
    let count = try await persistence.read {
      try $0.row("SELECT count(*) FROM sync_outbox", as: Int.self)
    }
    #expect(count == 0)
  }

  @Test func `data that could not be wiped is reported, and wiped before the next sign-in`()
    async throws
  {
    struct DiskFull: Error {}
    let session = SessionService(account: "ada")
    let isFull = Mutex(true)
    let wiped = Log<SessionParticipant.Wipe>()
    session.add(
      SessionParticipant("pictures") { wipe in
        if isFull.withLock({ $0 }) { throw DiskFull() }
        wiped.append(wipe)
      })
    session.add(SessionParticipant("others") { wiped.append($0) })
    let error = await thrown { try await session.logout() }
    guard case .notWiped("ada", let leftovers)? = error as? SessionError else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(leftovers.map(\.name) == ["pictures"])
    // A failing participant does not prevent the others from wiping.
    #expect(wiped.all == [.only("ada")])
    #expect(session.current == nil)
    #expect(await thrown { try await session.signIn("bob") } is SessionError)
    #expect(session.current == nil)
    isFull.withLock { $0 = false }
    try await session.signIn("bob")
    #expect(
      wiped.all.suffix(4) == [.only("ada"), .only("ada"), .allExcept("bob"), .allExcept("bob")])
  }

  @Test func `remains that cannot be erased are reported and do not refuse a sign-in`()
    async throws
  {
    struct DiskFull: Error {}
    let reports = Log<String>()
    let session = SessionService(account: "ada") { error in
      if case .notErased(let account, _) = error { reports.append(account.rawValue) }
    }
    let isFull = Mutex(true)
    let erased = Log<SessionParticipant.Wipe>()
    session.add(
      SessionParticipant(
        "rows",
        erase: { wipe in
          if isFull.withLock({ $0 }) { throw DiskFull() }
          erased.append(wipe)
        }, wipe: { _ in }))
    let error = await thrown { try await session.logout() }
    guard case .notErased("ada", _)? = error as? SessionError else {
      Issue.record("\(String(describing: error))")
      return
    }
    try await session.signIn("bob")
    #expect(session.current?.account == "bob")
    #expect(reports.all == ["ada", "ada", "bob"])
    isFull.withLock { $0 = false }
    try await session.logout()
    #expect(erased.all == [.only("ada"), .only("bob")])
  }

  @Test func `a sign-in that a logout overtook does not take effect`() async throws {
    let session = SessionService()
    let (gate, reached) = (Gate(), Log<Void>())
    session.add(
      SessionParticipant("slow") { _ in
        reached.append(())
        await gate.wait()
      })
    let signIn = Task { try await session.signIn("ada") }
    await reached.wait(for: 1)
    let logout = Task { try await session.logout() }
    await until { session.lock.count != 0 }
    gate.open()
    try await logout.value
    let result = await signIn.result
    guard case .failure(SessionError.superseded("ada")) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(session.current == nil)
  }

  @Test func `signing in to the current account keeps its session and its data`() async throws {
    let session = SessionService(account: "ada")
    let ticket = session.current
    let wiped = Log<Void>()
    session.add(SessionParticipant("all") { _ in wiped.append(()) })
    #expect(try await session.signIn("ada") == ticket)
    #expect(wiped.all.isEmpty)
  }

  @Test func `another account removes what an interrupted logout has left, except unsent changes`()
    async throws
  {
    let persistence = try await makeStore()
    let first = try await Desk(account: "ada", persistence: persistence)
    await first.server.put(Note(id: "n"), account: "ada")
    try await first.engine().refresh()
    try await first.engine().perform(.star(id: "n"))
    #expect(try await first.countRows() > 0)
    // The next run of the app, without a signed-in account.
    let next = try await Desk(account: nil, persistence: persistence)
    try await next.session.signIn("bob")
    #expect(try await next.countRows() == 1)
    #expect(try await next.outbox.unsentCounts() == ["ada": 1])
    #expect(try await next.engine().rows(.cacheOnly).isEmpty)
  }

  @Test func `a response that arrives after the logout stores nothing`() async throws {
    let desk = try await Desk(account: "ada")
    let engine = desk.engine()
    let (gate, arrived) = (Gate(), Log<Void>())
    await desk.server.put(Note(id: "n"), account: "ada")
    await desk.server.spoilReads(.hold(gate, arrived: arrived))
    let refresh = Task { try await engine.refresh() }
    await arrived.wait(for: 1)
    try await desk.session.logout()
    gate.open()
    guard case .failure = await refresh.result else {
      Issue.record("The read of an ended session succeeded.")
      return
    }
    #expect(try await desk.countRows() == 0)
    try await desk.session.signIn("ada")
    #expect(try await desk.countRows() == 0)
  }

  @Test func `a ticket of an ended session stores nothing, even after its account signed in again`()
    async throws
  {
    let desk = try await Desk(account: "ada")
    let ticket = try #require(desk.session.current)
    try await desk.session.logout()
    try await desk.session.signIn("ada")
    let error = await thrown {
      try await desk.persistence.write(as: ticket) {
        try $0.execute("INSERT INTO sync_cursor VALUES ('ada', 'note', 'all', 1, 1)")
      }
    }
    guard case .ended("ada")? = error as? SessionError else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await desk.countRows() == 0)
  }

  @Test func `a transaction checks the session inside the transaction`() async throws {
    let (arrived, begin) = (Log<Void>(), Gate())
    // Only the first transaction waits, and it blocks no thread.
    let persistence = HookedPersistence(
      service: try await makeStore(),
      beforeWrite: {
        arrived.append(())
        if arrived.all.count == 1 { await begin.wait() }
      })
    let desk = try await Desk(account: "ada", persistence: persistence)
    let ticket = try #require(desk.session.current)
    let write = Task {
      try await persistence.write(as: ticket) {
        try $0.execute("INSERT INTO sync_cursor VALUES ('ada', 'note', 'all', 1, 1)")
      }
    }
    await arrived.wait(for: 1)
    try await desk.session.logout()
    begin.open()
    await #expect(throws: SessionError.self) { try await write.value }
    #expect(try await desk.countRows() == 0)
  }

  @Test func `a logout removes the rows and the state of the engine and the outbox`() async throws {
    let desk = try await Desk(account: "ada")
    let engine = desk.engine()
    let arrived = Log<Void>()
    await desk.server.put(Note(id: "n"), account: "ada")
    await desk.server.spoilMutations(.never(arrived: arrived))
    engine.start()
    desk.outbox.start()
    try await engine.perform(.star(id: "n"))
    try await engine.perform(.star(id: "m"))
    await arrived.wait(for: 1)
    _ = await engine.status { $0.pendingCount == 2 }
    try await desk.session.logout()
    #expect(try await desk.countRows() == 0)
    #expect(await engine.status { _ in true } == SyncStatus())
    #expect(await desk.outbox.isIdle)
    #expect(try await desk.outbox.entries().isEmpty)
    let error = await thrown { try await engine.perform(.star(id: "n")) }
    #expect(error is SessionError)
  }

  @Test func `work that the end of a session cancels may use the session service`() async throws {
    let session = SessionService()
    let ticket = try await session.signIn("ada")
    let (started, ended) = (Gate(), Gate())
    let cancelled = Log<Bool>()
    let events = AsyncStream<Int> {
      await withTaskCancellationHandler {
        started.open()
        await ended.wait()
        return nil
      } onCancel: {
        cancelled.append(session.current == nil)
        ended.open()
      }
    }
    let reading = Task {
      for try await _ in ticket.elements(of: events) {}
    }
    await started.wait()
    try await session.logout()
    #expect(cancelled.all == [true])
    await #expect(throws: SessionError.self) { try await reading.value }
  }
}
