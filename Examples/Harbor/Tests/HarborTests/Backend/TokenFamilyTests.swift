import CausewayData
import CausewayHTTP
import Foundation
import HarborDomain
import Testing

/// Refresh tokens that are presented more than once.
@Suite(TestStore.isAvailable) struct `A refresh token` {
  private func refresh(_ token: AuthToken, _ server: Server) async throws -> AuthToken {
    try await server.guest.value(
      for: Endpoint(.post, "/tokens/refresh", body: ["refresh_token": token.refresh ?? ""]))
  }

  /// The status of a refresh: 200, or the status of the refusal.
  private func status(_ token: AuthToken, _ server: Server) async throws -> Int? {
    do {
      _ = try await refresh(token, server)
      return 200
    } catch let error as NetworkError {
      return error.status
    }
  }

  /// Whether the server accepts an access token.
  private func works(_ token: AuthToken, of member: Member, _ server: Server) async throws -> Bool {
    var member = member
    member.network = server.network(token)
    do {
      _ = try await member.list()
      return true
    } catch let error as NetworkError where error.status == 401 {
      return false
    }
  }

  @Test func `gets other successors when the answer was lost`() async throws {
    try await Server.with { server in
      let ana = try await server.member("Ana")
      let lost = try await refresh(ana.tokens, server)
      let second = try await refresh(ana.tokens, server)
      #expect(lost.access != second.access && lost.refresh != second.refresh)
      #expect(try await works(second, of: ana, server))
      let third = try await refresh(second, server)
      #expect(try await works(third, of: ana, server))
    }
  }

  @Test func `can be presented twice at once, and each answer can be used`() async throws {
    for used in 0...1 {
      try await Server.with { server in
        let ana = try await server.member("Ana")
        async let first = refresh(ana.tokens, server)
        async let second = refresh(ana.tokens, server)
        let token = try await [first, second][used]
        #expect(try await works(token, of: ana, server))
        #expect(try await works(refresh(token, server), of: ana, server))
      }
    }
  }

  @Test(arguments: [true, false])
  func `that was used ends its family, whichever successor shows its use`(
    byAccess: Bool
  ) async throws {
    try await Server.with { server in
      let ana = try await server.member("Ana")
      let stolen = ana.tokens
      var own = try await refresh(ana.tokens, server)
      if byAccess {
        #expect(try await works(own, of: ana, server))
      } else {
        own = try await refresh(own, server)
      }
      #expect(try await status(stolen, server) == 401)
      #expect(try await !works(own, of: ana, server))
      #expect(try await !works(stolen, of: ana, server))
      #expect(try await status(own, server) == 401)
    }
  }

  @Test func `that a thief uses first ends the family when the owner uses its own`() async throws {
    try await Server.with { server in
      let ana = try await server.member("Ana")
      let own = try await refresh(ana.tokens, server)
      let thief = try await refresh(ana.tokens, server)
      let next = try await refresh(thief, server)
      #expect(try await works(next, of: ana, server))
      #expect(try await status(own, server) == 401)
      #expect(try await !works(next, of: ana, server))
      #expect(try await status(next, server) == 401)
    }
  }

  @Test func `that was used long ago ends its family too, and no other device`() async throws {
    try await Server.with { server in
      let ana = try await server.member("Ana")
      let phone: Server.SignedIn = try await server.guest.value(
        for: Endpoint(
          .post, "/tokens", body: Credentials(name: "Ana", passphrase: "correct horse battery")))
      var newest = ana.tokens
      for _ in 1...10 { newest = try await refresh(newest, server) }
      #expect(try await status(ana.tokens, server) == 401)
      #expect(try await status(newest, server) == 401)
      #expect(try await works(phone.tokens, of: ana, server))
      #expect(try await status(phone.tokens, server) == 200)
    }
  }

  @Test func `has a few unused successors at most`() async throws {
    let store = try await TestStore.make()
    try await Server.with(store) { server in
      let ana = try await server.member("Ana")
      for _ in 1...10 { _ = try await refresh(ana.tokens, server) }
      let count = try await store.read {
        try $0.row("SELECT count(*) FROM token WHERE kind = 'refresh'", as: Int.self)
      }
      #expect(count == 5)
      #expect(try await status(ana.tokens, server) == 200)
    }
  }

  @Test(arguments: [
    "", ".", "x.y", "\u{0}", String(repeating: "0", count: 64) + ".x",
    String(repeating: "x", count: 5_000),
  ])
  func `that was never made is refused and ends nothing`(text: String) async throws {
    try await Server.with { server in
      let ana = try await server.member("Ana")
      #expect(try await status(AuthToken(access: "", refresh: text), server) == 401)
      #expect(try await works(ana.tokens, of: ana, server))
    }
  }
}
