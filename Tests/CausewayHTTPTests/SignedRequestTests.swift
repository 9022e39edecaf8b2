import CausewayData
import CausewayHTTP
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SignedRequestTests {
  @Test(arguments: TransportKind.allCases)
  func `a rejected token is refreshed once and the request is resent`(_ transport: TransportKind)
    async throws
  {
    let server = try RawServer { request, connection in
      let isFresh = request.headers["authorization"] == "Bearer new"
      connection.send(
        RawServer.answer(isFresh ? 200 : 401, ["WWW-Authenticate": "Bearer"], request.text))
    }
    let session = FixedSession(tokens: ["old", "new"])
    let request = NetworkRequest(
      .post, "/orders", body: .bytes(Array("x".utf8), type: "text/plain"))
    let network = try makeService(server, transport: transport, session: session)
    let response = try await network.response(for: request)
    #expect(response.body == Array("x".utf8))
    #expect(server.requests.all.count == 2)
    #expect(session.refused.all == ["old"])
  }

  @Test(arguments: TransportKind.allCases)
  func `a request rejected after an account switch is not resent for the next account`(
    _ transport: TransportKind
  )
    async throws
  {
    let isSwitched = Signal()
    let server = try RawServer { request, connection in
      if request.number == 0 { _ = isSwitched.wait() }
      connection.send(RawServer.answer(401))
    }
    let session = AuthSessionService(store: MemoryTokenStore()) { $0 }
    try await session.signIn(AuthToken(access: "ada's"), as: "ada")
    let network = try makeService(server, transport: transport, session: session)
    let order = NetworkRequest(.post, "/orders", body: .bytes([1], type: "text/plain"))
    let call = Task { await failure { try await network.response(for: order) } }
    await server.requests.wait(for: 1)
    try await session.signIn(AuthToken(access: "bob's"), as: "bob")
    isSwitched.send()
    #expect(await call.value?.kind == .notSignedIn)
    #expect(server.requests.all.map { $0.headers["authorization"] } == ["Bearer ada's"])
  }

  @Test(arguments: TransportKind.allCases)
  func `a request of one account does not use the token of another account that signs in`(
    _ transport: TransportKind
  )
    async throws
  {
    let server = try RawServer { _, connection in connection.send(RawServer.answer(200)) }
    let auth = AuthSessionService(store: MemoryTokenStore()) { $0 }
    let session = SessionService()
    session.add(auth.participant)
    let network = try makeService(server, transport: transport, session: auth)
    try await auth.signIn(AuthToken(access: "ada's"), as: "ada")
    try await session.signIn("ada")
    let ticket = try #require(session.current)
    let order = NetworkRequest(.post, "/orders", body: .bytes([1], type: "text/plain"))
    // The token is stored before the session starts. This call only stores the token.
    try await auth.signIn(AuthToken(access: "bob's"), as: "bob")
    #expect(ticket.isCurrent)
    let error = await failure {
      try await ticket.run { try await network.response(for: order) }
    }
    #expect(error?.kind == .notSignedIn)
    #expect(server.requests.all.isEmpty)
    try await session.signIn("bob")
    let bobs = try #require(session.current)
    _ = try await bobs.run { try await network.response(for: order) }
    #expect(server.requests.all.map { $0.headers["authorization"] } == ["Bearer bob's"])
  }

  @Test(arguments: TransportKind.allCases)
  func `a single refresh failure does not end the session`(
    _ transport: TransportKind
  )
    async throws
  {
    let server = try RawServer { _, connection in connection.send(RawServer.answer(401)) }
    let session = AuthSessionService(store: MemoryTokenStore()) { _ in
      throw NetworkError(.timedOut, message: "the login server is slow")
    }
    try await session.signIn(AuthToken(access: "old"), as: "ada")
    let network = try makeService(server, transport: transport, session: session)
    let error = await failure { try await network.response(for: .init(.get, "/")) }
    #expect(error?.kind == .tokenUnavailable)
    #expect(error?.message.contains("the login server is slow") == true)
    #expect(error?.remoteFailure.kind == .unreachable)
    #expect(try await session.token()?.access == "old")
  }

  @Test(arguments: TransportKind.allCases)
  func `a server that rejects every token gets only two requests`(_ transport: TransportKind)
    async throws
  {
    let server = try RawServer { _, connection in connection.send(RawServer.answer(401)) }
    let session = FixedSession(tokens: ["a", "b", "c", "d"])
    let network = try makeService(server, transport: transport, session: session)
    let error = await failure { try await network.response(for: .init(.get, "/")) }
    #expect(error?.status == 401)
    #expect(server.requests.all.count == 2)
  }

  @Test(arguments: TransportKind.allCases)
  func `many requests with an expired token cause one refresh`(_ transport: TransportKind)
    async throws
  {
    let server = try RawServer { request, connection in
      let isFresh = request.headers["authorization"] == "Bearer new"
      connection.send(RawServer.answer(isFresh ? 200 : 401))
    }
    let count = Mutex(0)
    let session = AuthSessionService(store: MemoryTokenStore(AuthToken(access: "old"))) { _ in
      count.withLock { $0 += 1 }
      return AuthToken(access: "new")
    }
    let network = try makeService(server, transport: transport, session: session)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<30 {
        group.addTask { try await network.response(for: .init(.get, "/")).status }
      }
      for try await status in group { #expect(status == 200) }
    }
    #expect(count.withLock(\.self) == 1)
  }

  @Test(arguments: TransportKind.allCases)
  func `an error does not contain a token that the response repeats`(_ transport: TransportKind)
    async throws
  {
    let server = try RawServer { request, connection in
      connection.send(
        RawServer.answer(400, [:], "bad header \(request.headers["authorization"] ?? "")"))
    }
    let network = try makeService(
      server, transport: transport, session: FixedSession(tokens: ["s3cret"]))
    let error = await failure { try await network.response(for: .init(.get, "/")) }
    #expect(error?.bodyExcerpt == "bad header Bearer …")
  }

  @Test func `the error of a request with a secret response does not contain the response`()
    async throws
  {
    let server = try RawServer { _, connection in
      connection.send(RawServer.answer(500, [:], #"{"access_token": "s3cret"}"#))
    }
    let network = try makeService(server)
    var login = NetworkRequest(.post, "/login")
    login.isAuthorized = false
    let error = await failure { try await network.response(for: login) }
    #expect(error?.status == 500)
    #expect(error?.bodyExcerpt == nil)
  }

  @Test(arguments: TransportKind.allCases) func `a request without authentication sends no token`(
    _ transport: TransportKind
  ) async throws {
    let server = try RawServer { _, connection in connection.send(RawServer.answer(401)) }
    let network = try makeService(
      server, transport: transport, session: FixedSession(tokens: ["a", "b"]))
    var request = NetworkRequest(.get, "/public")
    request.isAuthorized = false
    let sent = request
    let error = await failure { try await network.response(for: sent) }
    #expect(error?.status == 401)
    #expect(server.requests.all.map { $0.headers["authorization"] } == [nil])
  }

  @Test(arguments: TransportKind.allCases)
  func `the error of an ended session tells the user to sign in`(
    _ transport: TransportKind
  ) async throws {
    let server = try RawServer { _, connection in connection.send(RawServer.answer(401)) }
    let session = AuthSessionService(store: MemoryTokenStore(AuthToken(access: "old"))) { _ in
      throw AuthSessionError.refused("revoked")
    }
    let network = try makeService(server, transport: transport, session: session)
    let error = await failure { try await network.response(for: .init(.get, "/")) }
    #expect(error?.kind == .notSignedIn)
    #expect(error?.message.contains("revoked") == true)
    #expect(await (try session.token()) == nil)
  }
}

/// Returns its tokens one after the other.
final class FixedSession: AuthSessionServiceProtocol {
  let refused = Log<String>()
  private let tokens: Mutex<[String]>

  init(tokens: [String]) { self.tokens = Mutex(tokens) }

  func token() -> AuthToken? { tokens.withLock { $0.first }.map { AuthToken(access: $0) } }

  func token(replacing refused: AuthToken) async throws -> AuthToken {
    self.refused.append(refused.access)
    let next = tokens.withLock { tokens in
      tokens.removeFirst()
      return tokens.first
    }
    guard let next else { throw AuthSessionError.signedOut }
    return AuthToken(access: next)
  }
}
