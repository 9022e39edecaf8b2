import CausewayData
import CausewayHTTP
import Foundation
import HarborDomain
import Synchronization
import Testing

@testable import HarborBackend

/// Who may make an account.
@Suite(TestStore.isAvailable) struct `Sign-up` {
  /// The outcome of an attempt to make an account: its groups, or the status of the refusal.
  private func signUp(
    _ name: String, _ invitation: String? = nil, _ server: Server
  ) async throws -> (groups: [String], status: Int?) {
    let credentials = Credentials(
      name: name, passphrase: "correct horse battery", invitation: invitation)
    do {
      let answer = try await server.guest.value(
        for: Endpoint<Server.SignedIn>(.post, "/accounts", body: credentials))
      let groups: CollectionPage<GroupRecord> = try await server.network(answer.tokens).value(
        for: Endpoint(.get, "/accounts/\(answer.account)/groups"))
      return (groups.records.map(\.name), 200)
    } catch let error as NetworkError {
      return ([], error.status)
    }
  }

  private func count(_ table: SQL, _ store: any PersistenceService) async throws -> Int? {
    try await store.read { try $0.row("SELECT count(*) FROM \(table)", as: Int.self) }
  }

  @Test func `by invitation makes an account that is a member of the group`() async throws {
    let store = try await TestStore.make()
    let code = try await Invitations.make(to: "Rowers", in: store, at: Date())
    try await Server.with(store, signUp: .invitation) { (server: Server) async throws in
      for wrong in [nil, "", "x", String(repeating: "0", count: 64)] {
        let refused = try await signUp("Ana", wrong, server)
        #expect(refused.status == (wrong ?? "" == "" ? 403 : 404))
      }
      #expect(try await count("account", store) == 0)
      for name in ["Ana", "Ben"] {
        #expect(try await signUp(name, code, server) == (["Rowers"], 200))
      }
      #expect(try await count("member", store) == 2)
      // Only people with an invitation learn that a name is taken.
      #expect(try await signUp("Ana", String(repeating: "0", count: 64), server).status == 404)
      #expect(try await signUp("Ana", code, server).status == 409)
    }
  }

  @Test func `with an invitation that has ended makes no account`() async throws {
    let date = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
    let now: @Sendable () -> Date = { date.withLock(\.self) }
    for kind in [SignUp.invitation, .open] {
      let store = try await TestStore.make()
      let code = try await Invitations.make(to: "Rowers", in: store, at: now())
      try await Server.with(store, signUp: kind, now: now) { (server: Server) async throws in
        date.withLock { $0 += 15 * 86_400 }
        #expect(try await signUp("Ana", code, server).status == 404)
        #expect(try await count("account", store) == 0)
        #expect(try await count("member", store) == 0)
      }
    }
  }

  @Test func `makes no account if the group of the invitation is full`() async throws {
    var quotas = Quotas()
    quotas[.members] = 1
    let store = try await TestStore.make()
    let code = try await Invitations.make(to: "Rowers", in: store, at: Date())
    try await Server.with(store, quotas: quotas, signUp: .invitation) {
      (server: Server) async throws in
      #expect(try await signUp("Ana", code, server).status == 200)
      #expect(try await signUp("Ben", code, server).status == 403)
      #expect(try await count("account", store) == 1)
    }
  }

  @Test func `that is open needs no invitation, and one that is closed accepts none`() async throws
  {
    try await Server.with { (server: Server) async throws in
      #expect(try await signUp("Ana", nil, server).status == 200)
    }
    let store = try await TestStore.make()
    let code = try await Invitations.make(to: "Rowers", in: store, at: Date())
    try await Server.with(store, signUp: .closed) { (server: Server) async throws in
      #expect(try await signUp("Ana", code, server).status == 403)
      #expect(try await count("account", store) == 0)
    }
  }

  @Test func `by guessed invitations is limited`() async throws {
    // The limit grows with the time, which stands still.
    let start = Date()
    let store = try await TestStore.make()
    let code = try await Invitations.make(to: "Rowers", in: store, at: start)
    try await Server.with(store, signUp: .invitation, now: { start }) {
      (server: Server) async throws in
      for _ in 1...20 {
        let guess = String(repeating: "0", count: 64)
        #expect(try await signUp("Ana", guess, server).status == 404)
      }
      #expect(try await signUp("Ana", code, server).status == 429)
    }
  }
}
