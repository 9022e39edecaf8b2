import CausewayAccounts
import CausewayData
import CausewaySQLite
import CausewayWeb
import Foundation
import Synchronization
import Testing

@Suite struct `Mail addresses of accounts` {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  /// The sent mails.
  private final class Sent: Sendable {
    private let mails = Mutex<[(address: String, text: String)]>([])

    var all: [(address: String, text: String)] { mails.withLock { $0 } }

    func append(_ address: String, _ text: String) {
      mails.withLock { $0.append((address, text)) }
    }

    /// The path of the link in the last mail.
    var path: String? {
      all.last?.text.split(separator: "\n").first { $0.hasPrefix("https://board.example/") }
        .map { String($0.dropFirst("https://board.example".count)) }
    }
  }

  private func make() throws -> (mail: AccountMail, sent: Sent, server: WebServer) {
    let store = try InMemoryPersistenceService(migrations: [
      Migration("accounts", "CREATE TABLE account (id TEXT PRIMARY KEY)"),
      PassphraseResets.migration(), SecretLinks.migration(), AccountMail.migration(),
      Migration("Zoe", "INSERT INTO account VALUES ('zoe')"),
    ])
    let (sent, server) = (Sent(), WebServer(configuration: .init(port: 0)))
    let mail = AccountMail(
      store: store, title: "Board", address: try #require(URL(string: "https://board.example")),
      now: { Self.now },
      account: { try $1.row("SELECT id FROM account WHERE id = \($0)", as: String.self) },
      send: { address, _, text in sent.append(address, text) })
    mail.serve(on: server)
    return (mail, sent, server)
  }

  private func post(_ path: String, _ body: String = "", on server: WebServer) async -> Int {
    let request = Request(
      .post, path, headers: ["Content-Type": "application/x-www-form-urlencoded"])
    return await server.respond(to: request) { _ in Data(body.utf8) }.status.code
  }

  @Test func `get links for new passphrases only after a confirmation`() async throws {
    let (mail, sent, server) = try make()
    try await mail.set("zoe@example.org", of: "zoe")
    let link = try #require(sent.path)
    // The address may be another person's until its link is opened, and a look confirms nothing.
    #expect(await server.respond(to: Request(.get, link)).status == .ok)
    #expect(await post("/reset", "name=zoe", on: server) == 200)
    #expect(sent.all.count == 1)
    #expect(await post(link, on: server) == 200)
    #expect(await post(link, on: server) == 404)
    #expect(await post("/reset", "name=zoe", on: server) == 200)
    #expect(sent.all.count == 2 && sent.all.last?.address == "zoe@example.org")
    #expect(sent.path?.hasPrefix("/reset/") == true)
    // The answer does not tell whether there is such an account.
    #expect(await post("/reset", "name=other", on: server) == 200)
    #expect(sent.all.count == 2)
    // A new address replaces the old one when it is confirmed.
    try await mail.set("other@example.org", of: "zoe")
    let second = try #require(sent.path)
    #expect(await post("/reset", "name=zoe", on: server) == 200)
    #expect(sent.all.last?.address == "zoe@example.org")
    #expect(await post(second, on: server) == 200)
    try await mail.set("", of: "zoe")
    #expect(await post("/reset", "name=zoe", on: server) == 200)
    #expect(sent.all.count == 4)
  }

  @Test func `are limited`() async throws {
    let (mail, sent, server) = try make()
    for _ in 0..<5 { try await mail.set("zoe@example.org", of: "zoe") }
    let refused = await #expect(throws: Problem.self) {
      try await mail.set("zoe@example.org", of: "zoe")
    }
    #expect(refused?.status == .tooManyRequests)
    #expect(await post(try #require(sent.path), on: server) == 200)
    for _ in 0..<20 { _ = await post("/reset", "name=zoe", on: server) }
    #expect(await post("/reset", "name=zoe", on: server) == 429)
    #expect(sent.all.count == 10)
  }
}
