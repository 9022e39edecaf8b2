import CausewayData
import CausewaySQLite
import Foundation
import TestSupport
import Testing

/// Mutations that require others keep their order across scopes.
@Suite(.timeLimit(.minutes(10)))
struct DependencyTests {
  private func draft(
    _ key: IdempotencyKey, scope: SyncScope, after keys: IdempotencyKey...
  ) -> OutboxDraft {
    OutboxDraft(
      key: key, collection: "text", scope: scope, kind: "send", payload: Data(key.rawValue.utf8),
      dependencies: keys.map { .mutation($0) })
  }

  private struct Comment: Codable, Equatable, Sendable, Identifiable {
    var id: String
    var article: String
  }

  private enum CommentMutation: Mutation {
    case write(Comment)

    private var comment: Comment {
      switch self {
      case .write(let comment): comment
      }
    }
    var recordID: String { comment.id }
    var dependencies: [MutationDependency] { [.record(comment.article, in: notes)] }
    func apply(to record: inout Comment?) { record = comment }
  }

  private static let comments = SyncedTable<Comment>("comment")

  private struct CommentServer: RemoteSource {
    typealias Mutation = CommentMutation

    let sent = Log<String>()

    func snapshot(_ request: SyncRequest) -> RemoteSnapshot<Comment> {
      RemoteSnapshot([], version: 0)
    }
    func changes(since version: SyncVersion, _ request: SyncRequest) -> RemoteChanges<Comment> {
      .changes([], deleted: [], version: version, hasMore: false)
    }
    func apply(_ mutation: CommentMutation, _ request: MutationRequest) -> MutationReceipt {
      sent.append(mutation.recordID)
      return .final
    }
  }

  private func makeDesk() async throws -> (Desk, SyncEngine<CommentServer>, CommentServer) {
    let migration = Self.comments.migration(columns: "id TEXT NOT NULL, article TEXT NOT NULL")
    let desk = try await Desk(
      persistence: InMemoryPersistenceService(migrations: noteMigrations + [migration]))
    let source = CommentServer()
    let engine = SyncEngine(
      source: source, table: Self.comments, scope: "comments on n", outbox: desk.outbox,
      pollInterval: nil)
    return (desk, engine, source)
  }

  @Test func `a comment waits for its new article, also after a restart`() async throws {
    let (desk, comments, source) = try await makeDesk()
    try await desk.engine().perform(.write(Note(id: "n")))
    try await comments.perform(.write(Comment(id: "c", article: "n")))
    try await comments.perform(.write(Comment(id: "d", article: "old")))

    let again = try await Desk(persistence: desk.persistence)
    let articles = again.engine()
    let second = SyncEngine(
      source: source, table: Self.comments, scope: "comments on n", outbox: again.outbox,
      pollInterval: nil)
    await again.server.spoilMutations(.fail(RemoteFailure(.unreachable)))
    again.outbox.start()
    try await again.wait(for: 1, "SELECT count(*) FROM sync_outbox WHERE attempts = 1")
    #expect(source.sent.all.isEmpty)
    again.outbox.retryNow()
    try await again.waitUntilSent()
    #expect(source.sent.all == ["c", "d"])
    #expect(await again.server.applied.count == 1)
    withExtendedLifetime((articles, second)) {}
  }

  @Test func `a mutation that requires a refused one becomes a dead letter and is reverted`()
    async throws
  {
    let (desk, comments, source) = try await makeDesk()
    await desk.server.refuse("write")
    let articles = desk.engine()
    let article = try await articles.perform(.write(Note(id: "n")))
    let comment = try await comments.perform(.write(Comment(id: "c", article: "n")))
    try await comments.perform(.write(Comment(id: "d", article: "old")))
    let rejections = desk.outbox.rejections()
    desk.outbox.start()
    var letters = rejections.makeAsyncIterator()
    let told = [await letters.next(), await letters.next()].compactMap(\.self)
    #expect(told.map(\.key) == [article, comment])
    #expect(told.map(\.reason) == [.rejected, .dependencyFailed])
    #expect(told.map(\.cause) == [nil, article])
    try await desk.waitUntilSent()
    #expect(source.sent.all == ["d"])
    #expect(try await comments.rows(.cacheOnly).isEmpty)
    #expect(try await desk.outbox.deadLetters() == told)
  }

  @Test func `resending a dead letter also resends the dead letters that it caused, in order`()
    async throws
  {
    let desk = try await Desk()
    let sent = Log<String>()
    desk.outbox.register("text") { entry in
      sent.append(String(decoding: entry.payload, as: UTF8.self))
      if sent.all.count == 1 { throw RemoteFailure(.rejected) }
      return .final
    }
    try await desk.outbox.enqueue(draft("a", scope: "1"))
    try await desk.outbox.enqueue(draft("b", scope: "2", after: "a"))
    try await desk.outbox.enqueue(draft("c", scope: "3", after: "b"))
    desk.outbox.start()
    try await desk.wait(for: 3, "SELECT count(*) FROM sync_dead_letter")
    #expect(sent.all == ["a"])
    try await desk.outbox.resend("a")
    try await desk.waitUntilCovered()
    #expect(sent.all == ["a", "a", "b", "c"])
    #expect(try await desk.outbox.deadLetters().isEmpty)
  }

  @Test func `after its cause was discarded, a dead letter is sent with those that require it`()
    async throws
  {
    let desk = try await Desk()
    let sent = Log<IdempotencyKey>()
    desk.outbox.register("text") { entry in
      sent.append(entry.key)
      if entry.key == "a" { throw RemoteFailure(.rejected) }
      return .final
    }
    try await desk.outbox.enqueue(draft("a", scope: "1"))
    try await desk.outbox.enqueue(draft("b", scope: "2", after: "a"))
    try await desk.outbox.enqueue(draft("c", scope: "3", after: "b"))
    desk.outbox.start()
    try await desk.wait(for: 3, "SELECT count(*) FROM sync_dead_letter")
    try await desk.outbox.discard("a")
    // The error says that sending the required mutation also sends this one.
    #expect(
      await thrown { try await desk.outbox.resend("c") } as? OutboxError
        == .requiresDeadLetter("c", "b"))
    try await desk.outbox.resend("b")
    try await desk.waitUntilCovered()
    #expect(sent.all == ["a", "b", "c"])
    #expect(try await desk.outbox.deadLetters().isEmpty)
  }

  @Test(arguments: [false, true])
  func `an engine reports that its mutation failed because of a mutation of another scope`(
    isUndone: Bool
  ) async throws {
    let (desk, comments, _) = try await makeDesk()
    await desk.server.refuse("write")
    let articles = desk.engine()
    let article = try await articles.perform(.write(Note(id: "n")))
    try await comments.perform(.write(Comment(id: "c", article: "n")))
    comments.start()
    for await status in comments.statuses()
    where status.phase == .upToDate && status.pendingCount == 1 { break }
    if isUndone { try await desk.outbox.undo(article) } else { desk.outbox.start() }
    for await status in comments.statuses()
    where status.pendingCount == 0 && status.lastError?.kind == .dependencyFailed { break }
    withExtendedLifetime(articles) {}
  }

  @Test(arguments: ["a", "b"] as [IdempotencyKey])
  func `a dead letter is sent again only when no dead letter that it requires is left`(
    last: IdempotencyKey
  ) async throws {
    let desk = try await Desk()
    let cause: IdempotencyKey = last == "a" ? "b" : "a"
    let (sent, gate) = (Log<IdempotencyKey>(), Gate())
    desk.outbox.register("text") { entry in
      if entry.key == last { await gate.wait() }
      sent.append(entry.key)
      if ["a", "b"].contains(entry.key) { throw RemoteFailure(.rejected) }
      return .final
    }
    try await desk.outbox.enqueue(draft("a", scope: "1"))
    try await desk.outbox.enqueue(draft("b", scope: "2"))
    try await desk.outbox.enqueue(draft("c", scope: "3", after: "a", "b"))
    desk.outbox.start()
    // The other mutation is refused first, so it is the cause of the comment's dead letter.
    try await desk.wait(for: 2, "SELECT count(*) FROM sync_dead_letter")
    gate.open()
    try await desk.wait(for: 3, "SELECT count(*) FROM sync_dead_letter")
    #expect(try await desk.outbox.deadLetters().first { $0.key == "c" }?.cause == cause)
    #expect(
      await thrown { try await desk.outbox.resend("c") } as? OutboxError
        == .requiresDeadLetter("c", cause))
    // The comment also requires the other refused mutation, so it stays a dead letter.
    try await desk.outbox.resend(cause)
    try await desk.waitUntilCovered()
    #expect(try await desk.outbox.deadLetters().map(\.key) == [last, "c"])
    #expect(try await desk.outbox.deadLetters().map(\.cause) == [nil, last])
    try await desk.outbox.resend(last)
    try await desk.waitUntilCovered()
    #expect(try await desk.outbox.deadLetters().isEmpty)
    #expect(sent.all.last == "c")
  }

  @Test func `a mutation without a sender becomes a dead letter with the one that it requires`()
    async throws
  {
    let (desk, _, _) = try await makeDesk()
    let source = CommentServer()
    func comments(_ desk: Desk) -> SyncEngine<CommentServer> {
      SyncEngine(
        source: source, table: Self.comments, scope: "comments on n", outbox: desk.outbox,
        pollInterval: nil)
    }
    try await desk.engine().perform(.write(Note(id: "n")))
    try await comments(desk).perform(.write(Comment(id: "c", article: "n")))

    // In the next run, the comments have no sender when the article is refused.
    let again = try await Desk(persistence: desk.persistence)
    await again.server.refuse("write")
    let articles = again.engine()
    again.outbox.start()
    try await again.wait(for: 2, "SELECT count(*) FROM sync_dead_letter")
    let engine = comments(again)
    for try await rows in engine.observe() where rows.isEmpty { break }
    #expect(try await again.outbox.entries().isEmpty)
    #expect(source.sent.all.isEmpty)
    withExtendedLifetime(articles) {}
  }

  @Test func `a mutation that requires an undone one becomes a dead letter`() async throws {
    let desk = try await Desk()
    desk.outbox.register("text") { _ in .final }
    try await desk.outbox.enqueue(draft("a", scope: "1"))
    try await desk.outbox.enqueue(draft("b", scope: "2", after: "a"))
    try await desk.outbox.enqueue(draft("c", scope: "3"))
    try await desk.outbox.undo("a")
    #expect(try await desk.outbox.deadLetters().map(\.key) == ["b"])
    desk.outbox.start()
    try await desk.waitUntilCovered()
    #expect(try await desk.outbox.deadLetters().map(\.cause) == ["a"])
  }

  @Test func `an acknowledged mutation does not become a dead letter`() async throws {
    let desk = try await Desk()
    desk.outbox.register("text") { _ in .final }
    try await desk.outbox.enqueue(draft("a", scope: "1"))
    try await desk.outbox.enqueue(draft("b", scope: "2", after: "a"))
    try await desk.persistence.write {
      try $0.execute("UPDATE sync_outbox SET state = 'acknowledged' WHERE key = 'b'")
    }
    try await desk.outbox.undo("a")
    #expect(try await desk.outbox.deadLetters().isEmpty)
    #expect(try await desk.outbox.entries().map(\.key) == ["b"])
  }

  @Test func `a dependency that the server already has delays nothing`() async throws {
    let desk = try await Desk()
    let sent = Log<IdempotencyKey>()
    desk.outbox.register("text") { entry in
      sent.append(entry.key)
      return .final
    }
    desk.outbox.start()
    try await desk.outbox.enqueue(draft("a", scope: "1"))
    try await desk.waitUntilCovered()
    try await desk.outbox.enqueue(draft("b", scope: "2", after: "a", "never stored"))
    try await desk.waitUntilCovered()
    #expect(sent.all == ["a", "b"])
  }
}
