import CausewayData
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DeadLetterTests {
  @Test func `a request that the server may have applied is resent under its key and applied once`()
    async throws
  {
    var table = RetryTable.standard
    table[.garbled] = .reject
    let desk = try await Desk(table: table)
    let engine = desk.engine()
    await desk.server.spoilMutations(.failAfterwards(RemoteFailure(.garbled, "cut off")))
    let rejections = desk.outbox.rejections()
    let key = try await engine.perform(.write(Note(id: "n", title: "once")))
    desk.outbox.start()
    for await _ in rejections { break }
    #expect(try await desk.outbox.resend(key) == key)
    try await desk.waitUntilSent()
    #expect(await desk.server.applied.map(\.key) == [key])
    #expect(try await desk.outbox.deadLetters().isEmpty)
    await #expect(throws: OutboxError.notFound(key)) { try await desk.outbox.resend(key) }
  }

  @Test(arguments: RemoteFailure.Kind.allCases)
  func `only a definitely rejected request gets a new key`(kind: RemoteFailure.Kind) async throws {
    var table = RetryTable.standard
    table[kind] = .reject
    let desk = try await Desk(table: table)
    let rejections = desk.outbox.rejections()
    let keys = Log<IdempotencyKey>()
    desk.outbox.register("text") { entry in
      keys.append(entry.key)
      if keys.all.count == 1 { throw RemoteFailure(kind) }
      return .final
    }
    try await desk.outbox.enqueue(draft("a", key: "k"))
    desk.outbox.start()
    for await _ in rejections { break }
    try await desk.outbox.resend("k")
    try await desk.waitUntilCovered()
    let isRefusal = [.rejected, .conflict, .unsendable].contains(kind)
    #expect(keys.all.count == 2)
    #expect((keys.all.last == "k") == !isRefusal)
  }

  @Test func `a dead letter whose key was performed again meanwhile is not stored twice`()
    async throws
  {
    var table = RetryTable.standard
    table[.garbled] = .reject
    let desk = try await Desk(table: table)
    let rejections = desk.outbox.rejections()
    let (gate, sent) = (Gate(), Log<OutboxEntry>())
    desk.outbox.register("text") { entry in
      sent.append(entry)
      if sent.all.count == 1 { throw RemoteFailure(.garbled) }
      await gate.wait()
      return .final
    }
    try await desk.outbox.enqueue(draft("a", key: "k"))
    desk.outbox.start()
    for await _ in rejections { break }
    try await desk.outbox.enqueue(draft("a", key: "k"))
    #expect(try await desk.outbox.resend("k") == "k")
    #expect(try await desk.outbox.entries().map(\.key) == ["k"])
    #expect(try await desk.outbox.deadLetters().isEmpty)
    gate.open()
    try await desk.waitUntilCovered()
    #expect(sent.all.count == 2)
  }

  @Test func `the number of dead letters is limited, and dropped dead letters are reported`()
    async throws
  {
    let desk = try await Desk(deadLetterLimit: 3)
    let dropped = desk.outbox.droppedDeadLetters()
    desk.outbox.register("text") { _ in throw RemoteFailure(.rejected) }
    desk.outbox.start()
    for number in 1...8 {
      // The clock was set back, so the last dead letter has the oldest date.
      desk.wall.date.addTimeInterval(number == 8 ? -3_600 : 1)
      try await desk.outbox.enqueue(draft("\(number)", key: .init(rawValue: "\(number)")))
      try await desk.waitUntilSent()
    }
    #expect(try await desk.outbox.deadLetters().map(\.key) == ["6", "7", "8"])
    var told: [IdempotencyKey] = []
    for await letter in dropped {
      told.append(letter.key)
      if told.count == 5 { break }
    }
    #expect(told == ["1", "2", "3", "4", "5"])
  }

  private func draft(_ text: String, key: IdempotencyKey) -> OutboxDraft {
    OutboxDraft(key: key, collection: "text", kind: "send", payload: Data(text.utf8))
  }
}
