import CausewayData
import CausewaySQLite
import Foundation
import TestSupport
import Testing

@testable import CausewayBasics

/// The unsent changes of an account whose session ends without a logout.
@Suite(.timeLimit(.minutes(10)))
struct UnsentChangesTests {
  private func texts(_ desk: Desk) async throws -> [String] {
    try await desk.outbox.entries().map { String(decoding: $0.payload, as: UTF8.self) }
  }

  /// A desk of an account whose token the server refuses.
  private func refusedDesk(
    _ persistence: (any PersistenceService)? = nil
  ) async throws -> (Desk, AuthSessionService) {
    let desk = try await Desk(account: nil, persistence: persistence)
    let auth = AuthSessionService(store: MemoryTokenStore()) { _ in
      throw NetworkError(
        .status, message: "refused", status: 400, bodyExcerpt: #"{"error":"invalid_grant"}"#)
    }
    desk.session.follow(auth)
    return (desk, auth)
  }

  private func signIn(
    _ desk: Desk, _ auth: AuthSessionService, as account: AccountID
  ) async throws {
    try await auth.signIn(AuthToken(access: "1", refresh: "r"), as: account)
    try await desk.session.signIn(account)
  }

  private func endByServer(_ auth: AuthSessionService) async throws {
    let token = try #require(try await auth.token())
    await #expect(throws: AuthSessionError.self) { try await auth.token(replacing: token) }
  }

  @Test func `a session that the server ends keeps its unsent changes until the next sign-in`()
    async throws
  {
    let (desk, auth) = try await refusedDesk()
    try await signIn(desk, auth, as: "ada")
    let engine = desk.engine()
    await desk.server.put(Note(id: "old"), account: "ada")
    try await engine.refresh()
    for id in ["1", "2", "3"] { try await engine.perform(.write(Note(id: id))) }
    let before = try await texts(desk)

    try await endByServer(auth)
    // The refusal returns after the session has ended.
    #expect(desk.session.current == nil)
    #expect(try await desk.outbox.entries().isEmpty)
    #expect(try await desk.outbox.unsentCounts() == ["ada": 3])
    await #expect(throws: SessionError.self) { try await engine.rows(.cacheOnly) }

    try await signIn(desk, auth, as: "ada")
    #expect(try await texts(desk) == before)
    #expect(try await desk.outbox.unsentCounts() == [:])
    // The server cannot be read yet, and the mutations are shown.
    await desk.server.spoilReads(.fail(RemoteFailure(.unreachable)))
    engine.start()
    let shown = try await engine.rows { $0.count == 3 }
    #expect(shown.allSatisfy { $0.isPending })
    desk.outbox.start()
    try await desk.waitUntilCovered()
    #expect(await desk.server.applied.map(\.mutation.recordID) == ["1", "2", "3"])
    #expect(try await engine.rows(.networkOnly).map(\.id) == ["1", "2", "3", "old"])
  }

  @Test func `when the server ends a session, data that the server can send again is removed`()
    async throws
  {
    let (desk, auth) = try await refusedDesk()
    try await signIn(desk, auth, as: "ada")
    let engine = desk.engine()
    await desk.server.put(Note(id: "old"), account: "ada")
    try await engine.refresh()
    try await engine.perform(.rename(id: "old", title: "b"))
    try await endByServer(auth)
    // The entry is all that is left.
    for try await rows in desk.persistence.observe("SELECT id FROM note", as: String.self)
    where rows.isEmpty { break }
    #expect(try await desk.countRows() == 1)
  }

  @Test(arguments: [true, false])
  func `another account sees no unsent changes, and each is sent once for its account`(
    byServer: Bool
  ) async throws {
    let (desk, auth) = try await refusedDesk()
    try await signIn(desk, auth, as: "ada")
    let engine = desk.engine()
    await desk.server.put(Note(id: "old", title: "a"), account: "ada")
    try await engine.refresh()
    try await engine.perform(.rename(id: "old", title: "b"))
    try await engine.perform(.write(Note(id: "new")))
    await desk.server.refuse("remove")
    desk.outbox.register("letter") { _ in throw RemoteFailure(.rejected) }
    try await desk.outbox.enqueue(
      OutboxDraft(collection: "letter", kind: "send", payload: Data("dead".utf8)))
    if byServer { try await endByServer(auth) }

    try await signIn(desk, auth, as: "bob")
    let everything = try await desk.persistence.read {
      try $0.rows("SELECT id FROM note", as: String.self)
    }
    #expect(everything == [])
    #expect(try await desk.outbox.entries().isEmpty)
    #expect(try await desk.outbox.unsentCounts() == ["ada": 3])
    try await engine.perform(.write(Note(id: "bob's")))
    desk.outbox.start()
    engine.start()
    try await desk.wait(for: 0, "SELECT count(*) FROM sync_outbox WHERE account = 'bob'")
    #expect(await desk.server.notes(account: "bob").map(\.id) == ["bob's"])
    #expect(await desk.server.notes(account: "ada").map(\.title) == ["a"])

    try await signIn(desk, auth, as: "ada")
    try await desk.waitUntilCovered()
    #expect(await desk.server.notes(account: "ada").map(\.title).sorted() == ["", "b"])
    #expect(await desk.server.applied.count == 3)
    #expect(try await engine.rows(.networkOnly).map(\.id) == ["new", "old"])
    #expect(try await desk.outbox.deadLetters().map(\.payload) == [Data("dead".utf8)])
  }

  @Test func `unsent changes survive a restart without a token`() async throws {
    let store = try await makeStore()
    do {
      let (desk, auth) = try await refusedDesk(store)
      try await signIn(desk, auth, as: "ada")
      try await desk.engine().perform(.write(Note(id: "1")))
    }
    // The file of the token was deleted, so the app starts without a session.
    let (desk, auth) = try await refusedDesk(store)
    #expect(desk.session.current == nil)
    #expect(try await desk.outbox.unsentCounts() == ["ada": 1])
    try await signIn(desk, auth, as: "ada")
    #expect(try await desk.outbox.entries().count == 1)
  }

  @Test func `mutations that the server has are removed with the rows of their account`()
    async throws
  {
    let desk = try await Desk(account: "ada")
    await desk.server.answer { _ in .coveredByNextRead }
    let engine = desk.engine()
    try await engine.perform(.write(Note(id: "sent")))
    desk.outbox.start()
    try await desk.wait(for: 1, "SELECT count(*) FROM sync_outbox WHERE state = 'acknowledged'")
    try await desk.session.signIn("bob")
    #expect(try await desk.countRows() == 0)
  }

  @Test func `removeData removes the changes of other accounts, and a logout those of its own`()
    async throws
  {
    let (desk, auth) = try await refusedDesk()
    try await signIn(desk, auth, as: "ada")
    try await desk.engine().perform(.write(Note(id: "1")))
    try await endByServer(auth)
    try await signIn(desk, auth, as: "bob")
    try await desk.engine().perform(.write(Note(id: "2")))
    await #expect(throws: OutboxError.signedIn("bob")) {
      try await desk.outbox.removeData(of: "bob")
    }
    try await desk.outbox.removeData(of: "ada")
    #expect(try await desk.outbox.unsentCounts() == [:])
    #expect(try await desk.outbox.entries().count == 1)
    try await desk.session.logout()
    #expect(try await desk.countRows() == 0)
  }

  @Test func `a logout without a session keeps the changes of an earlier session`() async throws {
    let (desk, auth) = try await refusedDesk()
    try await signIn(desk, auth, as: "ada")
    try await desk.engine().perform(.write(Note(id: "1")))
    try await endByServer(auth)
    // Apps log out before a sign-in, to repeat removals that have failed.
    try await desk.session.logout()
    try await signIn(desk, auth, as: "ada")
    #expect(try await desk.outbox.entries().count == 1)
  }

  @Test func `two accounts may use the same key`() async throws {
    let desk = try await Desk(account: "ada")
    func draft(_ text: String) -> OutboxDraft {
      OutboxDraft(key: "daily", collection: "text", kind: "send", payload: Data(text.utf8))
    }
    let sent = Log<OutboxEntry>()
    let isRefusing = Mutexed(true)
    desk.outbox.register("text") { entry in
      if isRefusing.value { throw RemoteFailure(.rejected) }
      sent.append(entry)
      return .final
    }
    try await desk.outbox.enqueue(draft("ada's"))
    try await desk.session.signIn("bob")
    let first = try await desk.outbox.enqueue(draft("bob's"))
    #expect(first.key == "daily")
    #expect(try await desk.outbox.enqueue(draft("again")) == first)
    #expect(try await desk.outbox.entries() == [first])
    desk.outbox.start()
    try await desk.wait(for: 1, "SELECT count(*) FROM sync_dead_letter")
    #expect(try await desk.outbox.deadLetters().map(\.key) == ["daily"])
    isRefusing.value = false
    try await desk.outbox.resend("daily")
    try await desk.wait(for: 1, "SELECT count(*) FROM sync_outbox")
    try await desk.session.signIn("ada")
    try await desk.waitUntilCovered()
    #expect(sent.all.map(\.account) == ["bob", "ada"])
    #expect(sent.all.map { String(decoding: $0.payload, as: UTF8.self) } == ["bob's", "ada's"])
    #expect(sent.all.last?.key == "daily")
  }
}
