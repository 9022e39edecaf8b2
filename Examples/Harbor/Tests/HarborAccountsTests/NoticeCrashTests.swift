import CausewayData
import CausewayWeb
import Foundation
import TestSupport
import Testing

@testable import HarborAccounts

@Suite(.timeLimit(.minutes(5))) struct `Notices of processes that end` {
  /// One transaction makes the notices, and two transactions claim and remove each notice.
  @Test(arguments: 0...6, [false, true])
  func `are sent, and twice only after a lost acknowledgement`(
    step: Int, commits: Bool
  ) async throws {
    let world = try NoticeWorld()
    try await world.settle()
    let first = world.notices(on: EndingStore(world.store, after: step, commits: commits))
    await #expect(throws: EndingStore.Ended.self) { try await first.sendDue() }
    // Another process sends the unclaimed notices at once, and the claimed notices later.
    try await world.notices().sendDue()
    world.date.value += AccountNotices.lease
    try await world.notices().sendDue()
    #expect(Set(world.names) == ["ana", "eve", "zoe"])
    let isLost = !commits && step > 0 && step % 2 == 0
    #expect(world.sent.all.count == (isLost ? 4 : 3))
    // A mail that is sent twice has the same id, so mail servers recognise it.
    #expect(Set(world.sent.all.map(\.id)).count == 3)
    #expect(try await world.count("account_notice") == 0)
  }

  @Test func `are sent once by processes that share a database`() async throws {
    let world = try NoticeWorld((10..<30).map { "p\($0)" })
    try await world.settle()
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { try await world.notices().sendDue() }
      }
      try await group.waitForAll()
    }
    #expect(world.names == (10..<30).map { "p\($0)" })
    #expect(try await world.count("account_notice") == 0)
  }

  @Test func `do not change the claim of another process`() async throws {
    let world = try NoticeWorld(["zoe"])
    let (slow, fast) = (world.notices(), world.notices())
    try await world.settle()
    try await slow.expand(try #require(try await slow.dueEvent()))
    let id = try #require(try await slow.dueNotice())
    let old = try #require(try await slow.claim(id))
    #expect(try await fast.dueNotice() == nil)
    #expect(try await fast.claim(id) == nil)
    world.date.value += AccountNotices.lease
    let new = try #require(try await fast.claim(id))
    #expect(new.mail.id == old.mail.id && new.attempts == 2)
    #expect(try await slow.complete(old, as: .delayed) == false)
    #expect(try await fast.dueNotice() == nil)
    _ = try await fast.complete(new, as: .sent)
    #expect(try await world.count("account_notice") == 0)
  }

  @Test func `are sent when a stopped process starts again`() async throws {
    let world = try NoticeWorld(["zoe"])
    try await world.settle()
    let begun = Log<String>()
    let notices = AccountNotices(
      store: world.store, source: NoticeWorld.Source(), title: "", address: URL(filePath: "/"),
      kinds: [:], now: { world.date.value }, report: { _ in }, isTemporary: { _ in false },
      send: {
        begun.append($0.address)
        try await Task.sleep(for: .seconds(86_400))
      })
    let running = Task { await notices.run() }
    await begun.wait(for: 1)
    running.cancel()
    await running.value
    try await world.notices().sendDue()
    #expect(world.names == ["zoe"] && world.reported.all.isEmpty)
  }
}
