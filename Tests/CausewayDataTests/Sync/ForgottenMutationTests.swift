import CausewayData
import Foundation
import TestSupport
import Testing

/// Entries of an earlier version of the app, with a case that this version no longer has.
@Suite(.timeLimit(.minutes(10)))
struct ForgottenMutationTests {
  /// Makes all entries undecodable.
  private func forget(_ desk: Desk) async throws {
    let payload = Data(#"{"paint":{"id":"n"}}"#.utf8)
    try await desk.persistence.write {
      try $0.execute("UPDATE sync_outbox SET payload = \(payload)")
    }
  }

  @Test func `a mutation that cannot be decoded leaves no optimistic row when it is rejected`()
    async throws
  {
    let desk = try await Desk()
    let engine = desk.engine()
    await desk.server.put(Note(id: "a", title: "theirs"), Note(id: "b"))
    try await engine.refresh()
    try await engine.perform(.rename(id: "a", title: "mine"))
    try await engine.perform(.remove(id: "b"))
    try await engine.perform(.write(Note(id: "c")))
    #expect(try await engine.rows(.cacheOnly).map(\.id) == ["a", "c"])
    try await forget(desk)
    try await engine.perform(.star(id: "a"))

    let rejections = desk.outbox.rejections()
    await desk.server.spoilMutations(.fail(RemoteFailure(.unreachable)))
    desk.outbox.start()
    var refused = 0
    for await letter in rejections {
      #expect(letter.reason == .unsendable)
      refused += 1
      if refused == 3 { break }
    }
    // Decodable entries stay visible.
    #expect(
      try await engine.rows(.cacheOnly) == [
        Synced(Note(id: "a", title: "theirs", stars: 1), isPending: true, isRejected: true),
        Synced(Note(id: "b"), isRejected: true),
      ])
  }

  @Test func `a mutation that cannot be decoded leaves no optimistic row when data covers it`()
    async throws
  {
    let desk = try await Desk()
    let engine = desk.engine()
    try await engine.refresh()
    try await engine.perform(.write(Note(id: "n", title: "mine")))
    desk.outbox.start()
    try await desk.waitUntilSent()
    try await forget(desk)
    // The server has dropped it without any response.
    await desk.server.lie(.changes([], deleted: [], version: 1, hasMore: false))
    try await engine.refresh()
    #expect(try await desk.outbox.entries().isEmpty)
    #expect(try await engine.rows(.cacheOnly).isEmpty)
  }

  @Test func `an outbox entry of no engine does not prevent reads from being stored`()
    async throws
  {
    let desk = try await Desk()
    let engine = desk.engine()
    let payload = try JSONEncoder().encode(NoteMutation.write(Note(id: "n", title: "mine")))
    try await desk.outbox.enqueue(
      OutboxDraft(collection: "note", kind: "write", payload: payload))
    desk.outbox.start()
    try await desk.waitUntilSent()
    try await engine.refresh()
    #expect(try await desk.outbox.entries().isEmpty)
    #expect(try await engine.rows(.cacheOnly) == [Synced(Note(id: "n", title: "mine"))])
  }
}
