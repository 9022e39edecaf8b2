import CausewayData
import CausewaySQLite
import CausewayWeb
import Foundation
import HarborAccounts
import Testing

@Suite struct `Links for new passphrases` {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func make() throws -> (any PersistenceService, WebServer) {
    let store = try InMemoryPersistenceService(migrations: [
      Migration("accounts", "CREATE TABLE account (id TEXT PRIMARY KEY, secret TEXT)"),
      PassphraseResets.migration(),
      Migration("Zoe", "INSERT INTO account VALUES ('<zoe>', 'old')"),
    ])
    let server = WebServer(configuration: .init(port: 0))
    PassphraseResets(
      store: store, passphrases: Passphrases(cost: 1), title: "Board", now: { Self.now },
      name: { try $1.row("SELECT id FROM account WHERE id = \($0)", as: String.self) },
      check: { passphrase throws(Problem) in
        guard passphrase.count > 3 else { throw .badRequest("Too short.") }
      },
      set: { try $2.execute("UPDATE account SET secret = \($1) WHERE id = \($0)") }
    ).serve(on: server)
    return (store, server)
  }

  private func code(_ time: TimeInterval, in store: any PersistenceService) async throws -> String {
    try await store.write {
      try PassphraseResets.makeCode(
        for: "<zoe>", until: Self.now.addingTimeInterval(time), in: $0)
    }
  }

  private func set(_ passphrase: String, _ code: String, on server: WebServer) async -> Int {
    let form = Request(
      .post, "/reset/\(code)", headers: ["Content-Type": "application/x-www-form-urlencoded"])
    return await server.respond(to: form) { _ in Data("passphrase=\(passphrase)".utf8) }.status.code
  }

  @Test func `set one once, if it is permitted`() async throws {
    let (store, server) = try make()
    let replaced = try await code(60, in: store)
    let code = try await code(60, in: store)
    let page = await server.respond(to: Request(.get, "/reset/\(code)"))
    #expect(page.status == .ok)
    #expect(String(decoding: try await page.bytes, as: UTF8.self).contains("<main><h1>"))
    #expect(await set("other", replaced, on: server) == 404)
    #expect(await set("new", code, on: server) == 400)
    #expect(await set("other", code, on: server) == 200)
    #expect(await set("third", code, on: server) == 404)
    let secret = try await store.read {
      try $0.row("SELECT secret FROM account", as: String.self)
    }
    #expect(try await Passphrases(cost: 1).matches("other", secret))
  }

  @Test func `expire, and the database stores only their hashes`() async throws {
    let (store, server) = try make()
    let code = try await code(0, in: store)
    let hash = try await store.read {
      try $0.row("SELECT hash FROM passphrase_reset", as: String.self)
    }
    #expect(hash != code)
    for code in [code, "0", String(repeating: "0", count: 64)] {
      #expect(await set("other", code, on: server) == 404)
    }
  }
}
