import CausewayData
import CausewayHTTP
import CausewaySyncServer
import Foundation
import HarborAccounts
import HarborDomain
import Testing

@testable import HarborBackend

/// Names that look like the name of another account.
@Suite(TestStore.isAvailable) struct `The name of a new account` {
  private func signUp(_ name: String, _ server: Server) async throws -> (Int?, String) {
    do {
      let credentials = Credentials(name: name, passphrase: "correct horse battery")
      _ = try await server.guest.value(
        for: Endpoint<Server.SignedIn>(.post, "/accounts", body: credentials))
      return (200, "")
    } catch let error as NetworkError {
      return (error.status, error.bodyExcerpt ?? "")
    }
  }

  @Test(arguments: [
    ("Anna", "anna"), ("Anna", "ANNA"), ("Anna", "Ａnna"), ("Anna", " Anna "),
    ("Anna", "A\u{34F}nna"), ("Anna", "An\u{200D}na"), ("Anna", "Ann\u{FE0F}a"),
    ("Anna", "Anna\u{338}\u{332}"), ("Paul", "PauI"), ("lisa", "Iisa"), ("Bob", "\u{412}ob"),
    ("BOB", "\u{412}\u{41E}\u{412}"), ("Coco", "\u{421}\u{43E}\u{441}\u{43E}"),
    ("Marta", "rnarta"), ("Zoé", "Zoe\u{301}"),
  ])
  func `is refused if it looks like another one`(known: String, name: String) async throws {
    try await Server.with { server in
      #expect(try await signUp(known, server).0 == 200)
      let (status, text) = try await signUp(name, server)
      #expect([409, 422].contains(status))
      #expect(text.contains("name"))
    }
  }

  @Test(arguments: [
    "\u{410}nna", "An\u{3BD}a", "An\u{200B}na", "Anna\u{202E}", "An\u{AD}na", "\u{2066}Anna",
    "A\u{1D7D8}\u{967}",
  ])
  func `is refused if it mixes alphabets or contains invisible characters`(
    name: String
  ) async throws {
    try await Server.with { server in
      let (status, text) = try await signUp(name, server)
      #expect(status == 422, "\(text)")
      #expect(text.contains("name"))
    }
  }

  @Test func `may be in any alphabet, and like others in part`() async throws {
    try await Server.with { server in
      for name in [
        "Anna", "Annika", "Ana", "Anna B", "Ian", "Lan", "Анна", "Άννα", "アンナ 安娜", "안나", "انا",
        "Zoe", "Zoé", "Björn", "Bjorn", "Ана", "Anna 2", "👩\u{200D}🚀 Mia", "नेहा", "แอนนา",
      ] {
        let (status, text) = try await signUp(name, server)
        #expect(status == 200, "\(name): \(text)")
      }
    }
  }

  @Test func `may look like another one if it existed before the check`() async throws {
    let store = try await TestStore.make()
    let hash = try await Passphrases(random: { 7 }, cost: 1).hash("correct horse battery")
    try await store.write { transaction in
      for (id, name) in [("1", "Anna"), ("2", "\u{410}nna"), ("3", "An\u{200B}na")] {
        let key = PersonName(stored: name).key
        try transaction.execute(
          """
          INSERT INTO account (id, key, name, secret, created)
          VALUES (\(id), \(key), \(name), \(hash), 0)
          """)
      }
    }
    try await Server.with(store) { server in
      for (id, name) in [("1", "Anna"), ("2", "\u{410}nna"), ("3", "An\u{200B}na")] {
        let credentials = Credentials(name: name, passphrase: "correct horse battery")
        let answer: Server.SignedIn = try await server.guest.value(
          for: Endpoint(.post, "/tokens", body: credentials))
        #expect(answer.account == id)
      }
      // The forms of these accounts were added at the start.
      #expect(try await signUp("AnnA\u{338}", server).0 == 409)
      #expect(try await signUp("ANNA", server).0 == 409)
    }
  }
}
