import CausewayData
import CausewayHTTP
import Foundation
import Synchronization
import TestSupport
import Testing

/// Tokens whose expiry is known, and streams that outlive many tokens.
@Suite(.timeLimit(.minutes(10)))
struct ExpiredTokenTests {
  /// A session whose token has an expiry in the past, as after a night without a request.
  private struct ExpiredSession: AuthSessionServiceProtocol {
    var refresh: String?
    let asked = Log<String>()
    var answer: @Sendable () throws -> AuthToken = { AuthToken(access: "new") }

    func token() -> AuthToken? {
      AuthToken(access: "old", refresh: refresh, expiry: Date(timeIntervalSinceNow: -1))
    }

    func token(replacing refused: AuthToken) async throws -> AuthToken {
      asked.append(refused.access)
      return try answer()
    }
  }

  private func tokens(_ server: RawServer) -> [String?] {
    server.requests.all.map { $0.headers["authorization"] }
  }

  @Test(arguments: TransportKind.allCases)
  func `an expired token is replaced before the request`(_ transport: TransportKind) async throws {
    let server = try RawServer { _, connection in connection.send(RawServer.answer(200)) }
    let session = ExpiredSession(refresh: "r")
    let network = try makeService(server, transport: transport, session: session)
    _ = try await network.response(for: .init(.get, "/"))
    #expect(tokens(server) == ["Bearer new"])
    #expect(session.asked.all == ["old"])
  }

  @Test(arguments: [
    AuthSessionError.refreshFailed("the server of tokens is away"), .refused("revoked"),
  ])
  func `if the refresh fails, the server decides about the old token`(
    _ error: AuthSessionError
  ) async throws {
    let server = try RawServer { _, connection in connection.send(RawServer.answer(200)) }
    let session = ExpiredSession(refresh: "r", answer: { throw error })
    let network = try makeService(server, transport: .standard, session: session)
    let failure = await failure { try await network.response(for: .init(.get, "/")) }
    let isEnded = error == .refused("revoked")
    #expect(failure?.kind == (isEnded ? .notSignedIn : nil))
    #expect(tokens(server) == (isEnded ? [] : ["Bearer old"]))
  }

  @Test func `a wrong clock does not end a session whose token cannot be refreshed`() async throws {
    let server = try RawServer { _, connection in connection.send(RawServer.answer(200)) }
    let session = ExpiredSession()
    let network = try makeService(server, transport: .standard, session: session)
    _ = try await network.response(for: .init(.get, "/"))
    #expect(tokens(server) == ["Bearer old"])
    #expect(session.asked.all.isEmpty)
  }

  @Test(arguments: TransportKind.cancelling)
  func `a stream asks for its token at each connection`(_ transport: TransportKind) async throws {
    let server = try RawServer { request, connection in
      if request.headers["authorization"] == "Bearer T41" {
        connection.send(RawServer.answer(204))
      } else if request.number == 0 {
        connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: first\n\n")
      } else {
        connection.send(RawServer.answer(401))
      }
    }
    let count = Mutex(1)
    let auth = AuthSessionService(store: MemoryTokenStore()) { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return AuthToken(access: "T\(number)")
    }
    try await auth.signIn(AuthToken(access: "T1", refresh: "R"), as: "ada")
    let network = try makeService(server, transport: transport, session: auth) {
      $0.events.reconnecting = NetworkRetryPolicy(
        attempts: .max, firstDelay: .milliseconds(1), longestDelay: .milliseconds(1))
    }
    var iterator = network.events(for: .init(.get, "/events")).makeAsyncIterator()
    #expect(try await iterator.next()?.data == "first")
    for _ in 0..<40 {
      let token = try #require(try await auth.token())
      _ = try await auth.token(replacing: token)
    }
    #expect(try await iterator.next() == nil)
    #expect(tokens(server) == ["Bearer T1", "Bearer T41"])
  }

  @Test(arguments: TransportKind.cancelling, [AccountID("bob"), nil])
  func `a stream does not continue with the token of another account`(
    _ transport: TransportKind, _ next: AccountID?
  ) async throws {
    let server = try RawServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: first\n\n")
    }
    let auth = AuthSessionService(store: MemoryTokenStore()) { $0 }
    try await auth.signIn(AuthToken(access: "ada's"), as: "ada")
    let network = try makeService(server, transport: transport, session: auth) {
      $0.events.reconnecting = NetworkRetryPolicy(
        attempts: .max, firstDelay: .milliseconds(1), longestDelay: .milliseconds(1))
    }
    let seen = Log<String>()
    let stream = Task {
      await failure {
        for try await event in network.events(for: .init(.get, "/events")) {
          seen.append(event.data)
        }
      }
    }
    await seen.wait(for: 1)
    if let next {
      try await auth.signIn(AuthToken(access: "bob's"), as: next)
    } else {
      try await auth.signOut()
    }
    let error = await stream.value
    #expect(error?.kind == .notSignedIn)
    #expect(Set(tokens(server)) == ["Bearer ada's"])
  }
}
