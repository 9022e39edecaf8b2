import CausewayData
import CausewayWeb
import Foundation
import TestSupport
import Testing

@testable import HarborAccounts

@Suite(.timeLimit(.minutes(5))) struct `Notices by mail` {
  private func post(_ link: URL?, on server: WebServer) async -> Int {
    let request = Request(
      .post, link?.path ?? "", headers: ["Content-Type": "application/x-www-form-urlencoded"])
    return await server.respond(to: request) { _ in Data("List-Unsubscribe=One-Click".utf8) }
      .status.code
  }

  @Test func `go to the accounts that chose them, except the author of the change`() async throws {
    let world = try NoticeWorld()
    let notices = world.notices()
    try await notices.choose("change", false, of: "ana", in: nil)
    try await world.settle(by: "eve")
    try await notices.sendDue()
    try await notices.sendDue()
    #expect(world.names == ["zoe"])
    let mail = try #require(world.sent.all.first)
    #expect(mail.subject == "row" && mail.text.hasPrefix("old-old in GMT\n\nEnd these mails: "))
    #expect(mail.text.contains(mail.unsubscribe.absoluteString))
    for table in ["notice_event", "account_notice"] { #expect(try await world.count(table) == 0) }
  }

  @Test func `need a confirmed address`() async throws {
    let world = try NoticeWorld()
    let notices = world.notices()
    try await world.store.write {
      try $0.execute("UPDATE account_mail SET address = NULL WHERE account = 'zoe'")
      try $0.execute("DELETE FROM account_mail WHERE account = 'eve'")
    }
    for account in ["zoe", "eve"] {
      let refusal = await #expect(throws: Problem.self) {
        try await notices.choose("reminder", true, of: account, in: nil)
      }
      #expect(refusal?.status == .badRequest)
    }
    await #expect(throws: Problem.self) {
      try await notices.choose("other", true, of: "ana", in: nil)
    }
    try await notices.choose("reminder", true, of: "ana", in: .gmt)
    #expect(try await world.choices(of: "ana") == ["change", "reminder"])
    // The choices end with the address.
    #expect(try await world.choices(of: "eve") == nil)
    try await world.settle()
    try await notices.sendDue()
    #expect(world.names == ["ana"])
  }

  @Test func `end with one press and without a sign-in, but not by a look`() async throws {
    let world = try NoticeWorld()
    let (notices, server) = (world.notices(), WebServer(configuration: .init(port: 0)))
    notices.serve(on: server)
    try await world.settle()
    try await notices.sendDue()
    let mail = try #require(world.sent.all.first { $0.address == "zoe@a.example" })
    let path = mail.unsubscribe.path
    let page = await server.respond(to: Request(.get, path))
    #expect(page.status == .ok)
    #expect(String(decoding: try await page.bytes, as: UTF8.self).contains("changes &lt;b&gt;"))
    #expect(try await world.choices(of: "zoe") == ["change"])
    // A mail that waits ends too.
    world.failures.value = ["zoe@a.example": NoticeWorld.Later()]
    try await world.settle("second")
    try await notices.sendDue()
    for _ in 0..<2 { #expect(await post(mail.unsubscribe, on: server) == 200) }
    world.failures.value = [:]
    world.date.value += 86_000
    try await world.settle("third")
    try await notices.sendDue()
    #expect(world.names == ["ana", "ana", "ana", "eve", "eve", "eve", "zoe"])
    // The link of the first mail also ends mails that were chosen again.
    try await notices.choose("change", true, of: "zoe", in: nil)
    #expect(await post(mail.unsubscribe, on: server) == 200)
    #expect(try await world.choices(of: "zoe") == [])
    let unknown = URL(string: "https://a.example/mail/end/\(String(repeating: "a", count: 64))")
    #expect(await post(unknown, on: server) == 404)
    let stored = try await world.store.read {
      try $0.rows("SELECT hash FROM notice_end", as: String.self)
    }
    #expect(!stored.contains { path.contains($0) })
    // A link of an old address ends no mails to a new one.
    try await notices.choose("change", true, of: "zoe", in: nil)
    try await world.store.write {
      try $0.execute("UPDATE account_mail SET address = 'new@a.example' WHERE account = 'zoe'")
    }
    #expect(await post(mail.unsubscribe, on: server) == 404)
    #expect(try await world.choices(of: "zoe") == ["change"])
    for _ in 0..<58 { #expect(await post(unknown, on: server) == 404) }
    #expect(await post(unknown, on: server) == 429)
    let other = URL(string: "https://a.example/mail/end/\(String(repeating: "z", count: 64))")
    #expect(await post(other, on: server) == 404)
    #expect(await post(mail.unsubscribe, on: server) == 429)
  }

  @Test func `are one mail for changes that follow each other`() async throws {
    let world = try NoticeWorld()
    let notices = world.notices()
    try await world.note("row", "a", by: "zoe")
    for content in ["b", "c"] {
      world.date.value += 100
      try await world.note("row", content, by: "zoe")
      try await notices.sendDue()
    }
    world.date.value += 119
    try await notices.sendDue()
    #expect(world.sent.all.isEmpty)
    world.date.value += 1
    try await notices.sendDue()
    #expect(world.names == ["ana", "eve"] && world.sent.all[0].text.hasPrefix("a-c"))
    // If several people have made changes, each of them gets a notice too.
    try await world.note("row", "d", by: "zoe")
    try await world.settle("row", "e", by: "eve")
    try await notices.sendDue()
    #expect(world.names == ["ana", "ana", "eve", "eve", "zoe"])
  }

  @Test func `are sent even if the changes do not stop`() async throws {
    let world = try NoticeWorld()
    for _ in 0..<7 {
      try await world.note()
      world.date.value += 100
    }
    try await world.notices().sendDue()
    #expect(world.names == ["ana", "eve", "zoe"])
  }

  @Test func `are tried for a day after temporary failures, and once after a refusal`()
    async throws
  {
    let world = try NoticeWorld()
    let notices = world.notices()
    world.failures.value = [
      "zoe@a.example": NoticeWorld.Later(), "eve@a.example": NoticeWorld.Refused(),
    ]
    try await world.settle()
    let start = world.date.value
    try await notices.sendDue()
    #expect(world.names == ["ana"] && world.reported.all == ["Refused()"])
    #expect(try await world.count("account_notice") == 1)
    var tries = 0
    while try await world.count("account_notice") == 1 {
      let due = try await world.store.read {
        try $0.row("SELECT due FROM account_notice", as: Double.self)
      }
      world.date.value = Date(timeIntervalSince1970: try #require(due))
      try await notices.sendDue()
      tries += 1
    }
    #expect(world.reported.all == ["Refused()", "Later()"])
    #expect((13...40).contains(tries), "\(tries)")
    #expect((79_000...86_400).contains(world.date.value.timeIntervalSince(start)))
    #expect(world.names == ["ana"])
    // All attempts for a notice have one link.
    #expect(try await world.count("notice_end") == 3)
  }

  @Test func `wait while the mail server is out of reach`() async throws {
    let world = try NoticeWorld((10..<30).map { "p\($0)" })
    let tries = Log<String>()
    let notices = AccountNotices(
      store: world.store, source: NoticeWorld.Source(), title: "", address: URL(filePath: "/"),
      kinds: [:], now: { world.date.value }, report: { _ in }, isTemporary: { _ in true },
      send: {
        tries.append($0.address)
        throw NoticeWorld.Later()
      })
    try await world.settle()
    try await notices.sendDue()
    #expect(tries.all.count == 3)
    world.date.value += 7_200
    try await world.notices().sendDue()
    #expect(world.names == (10..<30).map { "p\($0)" })
  }

  @Test(arguments: ["bad event", "bad mail"])
  func `are sent although another notice has no text, which is retried for a day`(bad: String)
    async throws
  {
    let world = try NoticeWorld(["zoe"])
    let notices = world.notices()
    try await world.note("a", bad)
    try await world.settle("b")
    try await notices.sendDue()
    #expect(world.sent.all.map(\.subject) == ["b"] && world.reported.all == ["Refused()"])
    for _ in 0..<30 {
      world.date.value += 7_200
      try await notices.sendDue()
    }
    #expect((10...13).contains(world.reported.all.count), "\(world.reported.all.count)")
    for table in ["notice_event", "account_notice"] { #expect(try await world.count(table) == 0) }
  }

  @Test func `are not all lost when the mail server refuses every mail`() async throws {
    let names = (10..<30).map { "p\($0)" }
    let world = try NoticeWorld(names)
    world.failures.value = Dictionary(
      uniqueKeysWithValues: names.map { ("\($0)@a.example", NoticeWorld.Refused()) })
    try await world.settle()
    try await world.notices().sendDue()
    #expect(try await world.count("account_notice") == 17)
  }

  @Test(
    arguments: [
      "UPDATE account_mail SET address = 'new@a.example'", "DELETE FROM account_mail",
      "DELETE FROM account", "DELETE FROM notice_choice",
      "UPDATE account_notice SET content = 'secret'",
      "UPDATE account_notice SET expiry = 1800000000",
    ] as [SQL])
  func `end when they are no longer wanted or no longer true`(change: SQL) async throws {
    let world = try NoticeWorld(["zoe"])
    world.failures.value = ["zoe@a.example": NoticeWorld.Later()]
    try await world.settle()
    try await world.notices().sendDue()
    #expect(try await world.count("account_notice") == 1)
    try await world.store.write { try $0.execute(change) }
    world.failures.value = [:]
    world.date.value += 7_200
    try await world.notices().sendDue()
    #expect(world.sent.all.isEmpty)
    #expect(try await world.count("account_notice") == 0)
  }

  @Test func `are removed when the account is put on hold`() async throws {
    let world = try NoticeWorld(["zoe"])
    try await world.settle()
    let expiry = world.date.value + 86_400
    try await world.store.write { try AccountMail.hold("zoe", until: expiry, in: $0) }
    try await world.notices().sendDue()
    #expect(world.sent.all.isEmpty)
    #expect(try await world.count("account_notice") == 0)
    try await world.store.write { try AccountMail.release("zoe", in: $0) }
    #expect(try await world.count("notice_choice") == 0)
  }

  @Test func `of a date move with it, and late ones are sent until the event ends`() async throws {
    let world = try NoticeWorld(["zoe"])
    let notices = world.notices()
    try await notices.choose("reminder", true, of: "zoe", in: nil)
    let start = world.date.value
    func schedule(_ topic: String, after time: TimeInterval) async throws {
      try await world.store.write {
        try AccountNotices.schedule(
          "reminder", of: topic, content: "", at: start + time, until: start + time + 86_400,
          in: $0)
      }
    }
    for topic in ["moved", "cancelled", "late", "over"] { try await schedule(topic, after: 100) }
    try await schedule("moved", after: 200_000)
    try await world.store.write {
      try AccountNotices.cancel("reminder", of: "cancelled", in: $0)
      try $0.execute(
        "UPDATE notice_event SET expiry = \(start.timeIntervalSince1970 + 200) WHERE topic = 'over'"
      )
    }
    world.date.value = start + 50_000
    try await notices.sendDue()
    #expect(world.sent.all.map(\.subject) == ["late"])
    world.date.value = start + 200_001
    try await notices.sendDue()
    #expect(world.sent.all.map(\.subject) == ["late", "moved"])
    try await schedule("past", after: 100)
    let now = world.date.value + 100_000
    try await world.store.write { try AccountNotices.removeExpired(at: now, in: $0) }
    #expect(try await world.count("notice_event") == 0)
    // This change was not announced for a day, for example because the server had no mail.
    try await world.settle()
    for (age, count) in [(86_399.0, 1), (86_400, 0)] {
      let now = world.date.value + age
      try await world.store.write { try AccountNotices.removeExpired(at: now, in: $0) }
      #expect(try await world.count("notice_event") == count)
    }
  }
}
