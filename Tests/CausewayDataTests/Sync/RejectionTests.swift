import CausewayData
import Foundation
import TestSupport
import Testing

/// A view can show which mutations were refused and which rows were reverted.
@Suite(.timeLimit(.minutes(10)))
struct RejectionTests {
  @Test func `a sequence of rejections yields the present ones, decoded, and then new ones`()
    async throws
  {
    let desk = try await Desk()
    let engine = desk.engine()
    let other = desk.engine("other")
    await desk.server.refuse("rename")
    desk.outbox.start()
    try await engine.perform(.rename(id: "a", title: "1"))
    try await other.perform(.rename(id: "o", title: "1"))
    try await desk.wait(for: 2, "SELECT count(*) FROM sync_dead_letter")
    var rejections = engine.rejections().makeAsyncIterator()
    let first = try #require(try await rejections.next())
    #expect(first.mutation() == NoteMutation.rename(id: "a", title: "1"))
    #expect(first.reason == .rejected)
    let key = try await engine.perform(.rename(id: "b", title: "2"))
    let second = try #require(try await rejections.next())
    #expect(second.mutation() == NoteMutation.rename(id: "b", title: "2"))
    #expect(second.key == key)
    // A second refusal of the same mutation is reported again.
    try await desk.outbox.resend(first.key)
    #expect(try await rejections.next()?.mutation() == NoteMutation.rename(id: "a", title: "1"))
  }

  @Test func `a reverted record is marked until its rejection is discarded`() async throws {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.put(Note(id: "n", title: "theirs"), Note(id: "m"))
    try await engine.refresh()
    await desk.server.refuse("rename")
    let key = try await engine.perform(.rename(id: "n", title: "mine"))
    #expect(try await engine.rows(.cacheOnly).map(\.isRejected) == [false, false])
    desk.outbox.start()
    let reverted = try await engine.rows { $0.contains(where: \.isRejected) }
    #expect(
      reverted == [
        Synced(Note(id: "m")), Synced(Note(id: "n", title: "theirs"), isRejected: true),
      ])
    // A later edit of the record is shown and marked too.
    await desk.server.spoilMutations(.fail(RemoteFailure(.unreachable)))
    try await engine.perform(.star(id: "n"))
    let starred = try #require(try await engine.rows(.cacheOnly).last)
    #expect(starred.isPending && starred.isRejected)
    try await desk.outbox.discard(key)
    let rows = try await engine.rows { !$0.contains(where: \.isRejected) }
    #expect(rows.last?.stars == 1)
  }

  @Test func `entries are observed from the first to the last`() async throws {
    let desk = try await Desk()
    var entries = desk.outbox.observeEntries().makeAsyncIterator()
    #expect(try await entries.next()?.count == 0)
    let draft = OutboxDraft(collection: "text", kind: "send", payload: Data("a".utf8))
    try await desk.outbox.enqueue(draft)
    #expect(try await entries.next()?.map(\.key) == [draft.key])
    desk.outbox.register("text") { _ in .final }
    desk.outbox.start()
    while try await entries.next()?.isEmpty == false {}
    #expect(try await desk.outbox.entries().isEmpty)
  }

  @Test func `the elements of a ticket are read only as fast as their consumer reads`()
    async throws
  {
    let session = SessionService(account: "ada")
    let ticket = try #require(session.current)
    let read = Log<Int>()
    let numbers = AsyncStream<Int>(unfolding: {
      read.append(read.all.count)
      return read.all.count
    })
    var elements = ticket.elements(of: numbers).makeAsyncIterator()
    await read.wait(for: 16)
    for number in 1...100 { #expect(try await elements.next() == number) }
    // The source is endless. 100 elements were taken, the buffer has 16 more, and one more is being
    // read.
    #expect(read.all.count <= 117)
    try await session.logout()
  }

  @Test func `the elements of a ticket end with its session`() async throws {
    let session = SessionService(account: "ada")
    let ticket = try #require(session.current)
    let ended = Log<Void>()
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    continuation.onTermination = { _ in ended.append(()) }
    var elements = ticket.elements(of: stream).makeAsyncIterator()
    continuation.yield(1)
    #expect(try await elements.next() == 1)
    continuation.yield(2)
    try await session.logout()
    continuation.yield(3)
    do {
      let late = try await elements.next()
      Issue.record("\(String(describing: late))")
    } catch {
      guard case SessionError.ended("ada") = error else {
        Issue.record(error)
        return
      }
    }
    await ended.wait(for: 1)
    // A ticket of an ended session yields nothing.
    await #expect(throws: SessionError.self) {
      for try await _ in ticket.elements(of: AsyncStream<Int> { $0.yield(1) }) {}
    }
  }
}
