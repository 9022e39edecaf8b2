import CausewayData
import CausewaySQLite
import CausewayWeb
import Foundation
import TestSupport
import Testing

@testable import HarborAccounts

@Suite(.timeLimit(.minutes(5))) struct `Mail addresses of accounts` {
  /// A database, its mails, and the date, which the test can change.
  private struct World: Sendable {
    let store: any PersistenceService
    let mail: AccountMail
    let server: WebServer
    let sent = Log<(address: String, text: String)>()
    let reported = Log<String>()
    let date = Mutexed(Date(timeIntervalSince1970: 1_800_000_000))
    let isFull = Mutexed(false)

    init() throws {
      let store = try InMemoryPersistenceService(migrations: [
        Migration("accounts", "CREATE TABLE account (id TEXT PRIMARY KEY)"),
        PassphraseResets.migration(), AccountMail.migration(),
        Migration("people", "INSERT INTO account VALUES ('zoe'), ('eve'), ('ana')"),
      ])
      (self.store, server) = (store, WebServer(configuration: .init(port: 0)))
      mail = AccountMail(
        store: store, title: "Board",
        address: try #require(URL(string: "https://board.example")),
        now: { [date] in date.value },
        account: { try $1.row("SELECT id FROM account WHERE id = \($0)", as: String.self) },
        report: { [reported] in reported.append("\($0)") },
        send: { [sent, isFull] address, _, text in
          if isFull.value { throw Problem.badRequest("Too many mails are waiting.") }
          sent.append((address, text))
        })
      mail.serve(on: server)
      let resets = PassphraseResets(
        store: store, passphrases: Passphrases(cost: 1), title: "Board",
        now: { [date] in date.value },
        name: { try $1.row("SELECT id FROM account WHERE id = \($0)", as: String.self) },
        check: { _ in }, set: { _, _, _ in })
      resets.serve(on: server)
    }

    /// The path of the link in the last mail.
    var path: String? {
      sent.all.last?.text.split(separator: "\n").first { $0.hasPrefix("https://board.example/") }
        .map { String($0.dropFirst("https://board.example".count)) }
    }

    func address(of account: String) async throws -> String? {
      try await store.read { try AccountMail.address(of: account, in: $0) }
    }

    func set(_ address: String?, of account: String = "zoe") async throws {
      try await mail.set(address, of: account, from: "192.0.2.1")
    }

    func post(_ path: String, _ body: String = "", from network: String = "192.0.2.1") async -> Int
    {
      let request = Request(
        .post, path, headers: ["Content-Type": "application/x-www-form-urlencoded"],
        remoteAddress: network)
      return await server.respond(to: request) { _ in Data(body.utf8) }.status.code
    }

    /// Makes the address of an account and confirms it.
    func confirm(_ address: String) async throws {
      try await set(address)
      #expect(await post(try #require(path)) == 200)
    }
  }

  @Test func `get links for new passphrases only after a confirmation`() async throws {
    let world = try World()
    try await world.set("zoe@example.org")
    let link = try #require(world.path)
    // Until the link is confirmed, the address may belong to another person. Only a POST request
    // confirms the link.
    #expect(await world.server.respond(to: Request(.get, link)).status == .ok)
    await world.mail.sendReset(to: "zoe")
    #expect(world.sent.all.count == 1)
    #expect(await world.post(link) == 200)
    #expect(await world.post(link) == 404)
    #expect(await world.post("/reset", "name=zoe") == 200)
    await world.sent.wait(for: 2)
    #expect(world.sent.all.last?.address == "zoe@example.org")
    #expect(world.path?.hasPrefix("/reset/") == true)
    await world.mail.sendReset(to: "other")
    #expect(world.sent.all.count == 2)
  }

  @Test func `are replaced by a confirmed one, and the old one gets a notice`() async throws {
    let world = try World()
    try await world.confirm("zoe@example.org")
    try await world.set("other@example.org")
    let second = try #require(world.path)
    await world.mail.sendReset(to: "zoe")
    #expect(world.sent.all.last?.address == "zoe@example.org")
    #expect(await world.post(second) == 200)
    let notice = try #require(world.sent.all.last)
    #expect(notice.address == "zoe@example.org" && notice.text.contains("any more"))
    try await world.set(nil)
    #expect(world.sent.all.last?.address == "other@example.org")
    let count = world.sent.all.count
    await world.mail.sendReset(to: "zoe")
    #expect(world.sent.all.count == count && world.reported.all.isEmpty)
  }

  @Test func `are confirmed only with the newest link, within an hour`() async throws {
    let world = try World()
    try await world.set("zoe@example.org")
    let removed = try #require(world.path)
    try await world.set(nil)
    #expect(await world.post(removed) == 404)
    try await world.set("old@example.org")
    let replaced = try #require(world.path)
    try await world.set("new@example.org")
    #expect(await world.post(replaced) == 404)
    world.date.value += 3_601
    #expect(await world.post(try #require(world.path)) == 404)
    #expect(try await world.address(of: "zoe") == nil)
  }

  @Test func `get few mails, whoever asks for them`() async throws {
    let world = try World()
    for account in ["zoe", "zoe", "zoe", "zoe", "eve"] {
      try await world.set("Victim@example.org", of: account)
    }
    for (account, address) in [("ana", "victim@example.org"), ("zoe", "zoe@example.org")] {
      if account == "zoe" { try await world.set("zoe@example.org") }
      let refused = await #expect(throws: Problem.self) {
        try await world.set(address, of: account)
      }
      #expect(refused?.status == .tooManyRequests)
    }
    #expect(await world.post(try #require(world.path)) == 200)
    for _ in 0..<20 { await world.mail.sendReset(to: "zoe") }
    #expect(world.sent.all.count == 6 + 5)
    for _ in 0..<20 { #expect(await world.post("/reset", "name=x", from: "192.0.2.9") == 200) }
    #expect(await world.post("/reset", "name=x", from: "192.0.2.9") == 429)
    // The networks of a /48 network share a limit.
    var answers: [Int] = []
    for index in 0..<61 {
      answers.append(await world.post("/reset", "name=x", from: "2001:db8:1:\(index)::1"))
    }
    #expect(answers.prefix(60).allSatisfy { $0 == 200 } && answers.last == 429)
  }

  @Test func `have few tries for their links, and one more check when they are stored`()
    async throws
  {
    let world = try World()
    try await world.set("zoe@example.org")
    let unknown = "/mail/\(String(repeating: "a", count: 64))"
    for _ in 0..<60 { #expect(await world.post(unknown, from: "192.0.2.7") == 404) }
    #expect(await world.post(unknown, from: "192.0.2.7") == 429)
    // Those who ask for mails have a limit of their own.
    #expect(await world.post("/reset", "name=x", from: "192.0.2.7") == 200)
    #expect(await world.post(try #require(world.path)) == 200)
    let count = world.sent.all.count
    let refused = await #expect(throws: Problem.self) {
      try await world.mail.set("eve@example.org", of: "zoe", from: "192.0.2.1") { _ in
        throw Problem.badRequest("The passphrase was replaced.")
      }
    }
    #expect(refused?.status == .badRequest && world.sent.all.count == count)
    #expect(try await world.address(of: "zoe") == "zoe@example.org")
  }

  @Test func `leave the links of others, also if a mail is not sent`() async throws {
    let world = try World()
    try await world.confirm("zoe@example.org")
    let expiry = world.date.value + 86_400
    let made = try await world.store.write {
      try PassphraseResets.makeCode(for: "zoe", until: expiry, in: $0)
    }
    await world.mail.sendReset(to: "zoe")
    let mailed = try #require(world.path)
    world.isFull.value = true
    // The answer does not tell that the account exists.
    #expect(await world.post("/reset", "name=zoe") == 200)
    await world.reported.wait(for: 1)
    for path in ["/reset/\(made)", mailed] {
      #expect(await world.server.respond(to: Request(.get, path)).status == .ok)
    }
    // A new passphrase ends all links.
    #expect(await world.post(mailed, "passphrase=new") == 200)
    #expect(await world.post("/reset/\(made)", "passphrase=new") == 404)
  }

  @Test func `of a person who has taken over an account do not open it again`() async throws {
    let world = try World()
    try await world.confirm("eve@example.org")
    await world.mail.sendReset(to: "zoe")
    let mailed = try #require(world.path)
    try await world.confirm("zoe@example.org")
    #expect(await world.server.respond(to: Request(.get, mailed)).status == .notFound)
    // A new passphrase ends the link for an address that somebody else has asked for.
    try await world.set("eve@example.org")
    let wanted = try #require(world.path)
    try await world.store.write { try AccountMail.endConfirmations(of: "zoe", in: $0) }
    #expect(await world.post(wanted) == 404)
    #expect(try await world.address(of: "zoe") == "zoe@example.org")

    // The people who run the server have made a link. Until it is used, the old passphrase works.
    let expiry = world.date.value + 86_400
    try await world.store.write { try AccountMail.hold("zoe", until: expiry, in: $0) }
    #expect(try await world.address(of: "zoe") == nil)
    try await world.set(nil)
    try await world.store.write { try AccountMail.endConfirmations(of: "zoe", in: $0) }
    let refused = await #expect(throws: Problem.self) { try await world.set("eve@example.org") }
    #expect(refused?.status == .badRequest)
    world.date.value += 3_601
    try await world.store.write { try AccountMail.release("zoe", in: $0) }
    try await world.confirm("zoe@example.org")
  }
}
