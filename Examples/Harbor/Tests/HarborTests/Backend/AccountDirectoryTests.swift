import CausewayData
import CausewayHTTP
import CausewaySyncServer
import CausewayWeb
import Foundation
import HarborAccounts
import HarborBackend
import HarborDomain
import Testing

/// What the people who run a backend do with its accounts, while it runs.
@Suite(TestStore.isAvailable, .timeLimit(.minutes(5))) struct `The accounts of a backend` {
  private static let day: TimeInterval = 86_400
  private static let old = "correct horse battery"

  /// Runs a body with a store, a backend on it, and another one that answers without a socket.
  private func with(
    _ body: (any PersistenceService, Server, _ now: Date, WebServer) async throws -> Void
  ) async throws {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let store = try await TestStore.make()
    try await Server.with(store, now: { now }) { server in
      let other = Backend(
        store: store, configuration: .init(port: 0), now: { now },
        random: { .random(in: .min ... .max) }, passphraseCost: 1)
      try await body(store, server, now, other.server)
    }
  }

  private func signIn(_ name: String, _ passphrase: String, _ server: Server) async throws -> Int? {
    do {
      try await server.guest.call(
        Endpoint(.post, "/tokens", body: Credentials(name: name, passphrase: passphrase)))
      return nil
    } catch let error as NetworkError {
      return error.status
    }
  }

  private func status(of member: Member) async throws -> Int? {
    do {
      _ = try await member.list()
      return nil
    } catch let error as NetworkError {
      return error.status
    }
  }

  /// The status of the form for a new passphrase.
  private func set(_ passphrase: String, _ code: String, on pages: WebServer) async -> Int {
    let form = Request(
      .post, "/reset/\(code)", headers: ["Content-Type": "application/x-www-form-urlencoded"])
    return await pages.respond(to: form) { _ in
      Data("name=Ana&passphrase=\(passphrase.replacing(" ", with: "+"))".utf8)
    }.status.code
  }

  @Test func `are listed with what they use`() async throws {
    try await with { store, server, now, _ in
      _ = try await server.member("Zoe")
      _ = try await server.member("ana")
      try await store.write { transaction in
        try transaction.execute(
          """
          INSERT INTO browser_account (browser, account, label, began, seen)
          SELECT 'b', id, '', 1, 1900000000 FROM account WHERE name = 'ana'
          """)
      }
      let entries = try await AccountDirectory(store, at: now).entries()
      #expect(entries.map(\.name) == ["ana", "Zoe"])
      #expect(entries.map(\.created) == [now, now])
      #expect(entries.map(\.used) == [Date(timeIntervalSince1970: 1_900_000_000), now])
      #expect(entries.map(\.groups) == [1, 1] && entries.map(\.devices) == [1, 1])
      #expect(entries.map(\.browsers) == [1, 0])
    }
  }

  @Test func `get a new passphrase once, which ends their sessions`() async throws {
    try await with { store, server, now, pages in
      let ana = try await server.member("Ana")
      let accounts = AccountDirectory(store, at: now)
      // The address may be that of a person who has taken the account over.
      try await store.write { transaction in
        try transaction.execute(
          "INSERT INTO account_mail (account, address) VALUES (\(ana.account), 'eve@example.org')")
        _ = try SecretLinks.make(for: "calendar", of: ana.account, in: transaction)
      }
      let replaced = try await accounts.reset("ANA").code
      #expect(try await store.read { try AccountMail.address(of: ana.account, in: $0) } == nil)
      let code = try await accounts.reset("Ana").code
      let stored = try await store.read {
        try $0.rows("SELECT hash FROM passphrase_reset", as: String.self)
      }
      #expect(stored.count == 1 && !stored.contains(code))
      #expect(await set("another horse battery", replaced, on: pages) == 404)
      #expect(await pages.respond(to: Request(.get, "/reset/\(code)")).status == .ok)
      #expect(await set("short", code, on: pages) == 422)
      // Nothing has changed yet.
      #expect(try await status(of: ana) == nil)
      #expect(await set("another horse battery", code, on: pages) == 200)
      #expect(await set("third horse battery", code, on: pages) == 404)
      let links = try await store.read {
        try $0.row("SELECT count(*) FROM secret_link", as: Int.self)
      }
      #expect(links == 0)
      #expect(try await status(of: ana) == 401)
      #expect(try await signIn("Ana", Self.old, server) == 403)
      #expect(try await signIn("Ana", "another horse battery", server) == nil)
    }
  }

  @Test func `get no new passphrase with an expired or unknown code`() async throws {
    try await with { store, server, now, pages in
      _ = try await server.member("Ana")
      let yesterday = AccountDirectory(store, at: now.addingTimeInterval(-Self.day))
      let code = try await yesterday.reset("Ana").code
      for code in [code, "0", String(repeating: "0", count: 64)] {
        #expect(await set("another horse battery", code, on: pages) == 404)
        #expect(await pages.respond(to: Request(.get, "/reset/\(code)")).status == .notFound)
      }
      #expect(try await signIn("Ana", Self.old, server) == nil)
      await #expect(throws: (any Error).self) { try await yesterday.reset("Ben") }
      await #expect(throws: (any Error).self) { try await yesterday.reset("") }
    }
  }

  private struct Stored: Decodable, Sendable { var id: String }

  /// Ana and Ben in one group, with an activity that both join, a picture, a link and an invitation.
  private func club(_ server: Server) async throws -> (ana: Member, ben: Member) {
    let (ana, member) = try await server.club()
    _ = try await ana.send(.create(record("Row", id: "row")))
    _ = try await member.send(.join(id: "row", person: "Ben"))
    for (member, name) in [(ana, "Ana"), (member, "Ben")] {
      var upload = NetworkRequest(.post, "/groups/\(ana.group)/pictures")
      upload.body = .bytes(PictureFile.png, type: "image/png")
      let picture = try JSONDecoder().decode(
        Stored.self, from: Data(try await member.network.response(for: upload).body))
      let use = PersonMutation.setPicture(name: name, picture: picture.id)
      try await member.network.call(
        Endpoint(
          .post, "/groups/\(ana.group)/people/changes",
          body: [SentChange(key: IdempotencyKey(), mutation: use)]))
      let link = LinkRecord(id: name.lowercased(), target: "https://boat.example/a", created: 1)
      try await member.network.call(
        Endpoint(
          .post, "/accounts/\(member.account)/links/changes",
          body: [SentChange(key: IdempotencyKey(), mutation: LinkMutation.add(link))]))
    }
    return (ana, member)
  }

  @Test func `are removed with everything that is only their own`() async throws {
    try await with { store, server, now, _ in
      let (ana, ben) = try await club(server)
      #expect(try await ben.list().first?.participants == ["Ana", "Ben"])
      let accounts = AccountDirectory(store, at: now)
      _ = try await accounts.reset("Ana")
      try await accounts.delete("Ana")
      #expect(try await status(of: ana) == 401)
      #expect(try await signIn("Ana", Self.old, server) == 403)
      // The board of the group is there, and only Ben comes.
      #expect(try await ben.list().first?.participants == ["Ben"])
      let people: CollectionPage<PersonRecord> = try await ben.network.value(
        for: Endpoint(.get, "/groups/\(ana.group)/people"))
      #expect(people.records.map(\.name) == ["Ben"])
      let rows: [(SQL, Int)] = [
        ("account", 1), ("account_look", 3), ("device", 1), ("token", 2), ("member", 2),
        ("picture", 1), ("passphrase_reset", 0), ("receipt WHERE account = \(ana.account)", 0),
        ("record WHERE scope LIKE 'accounts/%' AND collection = 'links'", 1),
        ("feed WHERE scope = \("accounts/\(ana.account)")", 0),
      ]
      for (table, count) in rows {
        let found = try await store.read {
          try $0.row("SELECT count(*) FROM \(table)", as: Int.self)
        }
        #expect(found == count, "\(table)")
      }
      // The name is free again.
      _ = try await server.member("Ana")
    }
  }

  @Test func `are deleted with their invitations, and those to a group without members`()
    async throws
  {
    try await with { store, server, now, _ in
      let (ana, ben) = try await club(server)
      try await ben.network.call(Endpoint(.post, "/groups/\(ana.group)/invitations"))
      let count: SQL = "SELECT count(*) FROM invitation WHERE group_id = \(ana.group)"
      let accounts = AccountDirectory(store, at: now)
      #expect(try await store.read { try $0.row(count, as: Int.self) } == 2)
      try await accounts.delete("Ana")
      #expect(try await store.read { try $0.row(count, as: Int.self) } == 1)
      try await accounts.delete("Ben")
      #expect(try await store.read { try $0.row(count, as: Int.self) } == 0)
      await #expect(throws: (any Error).self) { try await accounts.delete("Ben") }
    }
  }
}
