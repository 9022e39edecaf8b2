import CausewayData
import CausewayHTTP
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SignedRequestTests {
  @Test func `a refused token is replaced once and the request sent again`() async throws {
    let server = try RawServer { request, connection in
      let isFresh = request.headers["authorization"] == "Bearer new"
      connection.send(
        RawServer.answer(isFresh ? 200 : 401, ["WWW-Authenticate": "Bearer"], request.text))
    }
    let session = FixedSession(tokens: ["old", "new"])
    let request = NetworkRequest(
      .post, "/orders", body: .bytes(Array("x".utf8), type: "text/plain"))
    let network = try makeService(server, session: session)
    let response = try await network.response(for: request)
    #expect(response.body == Array("x".utf8))
    #expect(server.requests.all.count == 2)
    #expect(session.refused.all == ["old"])
  }

  @Test func `a server that refuses every token is asked twice and no more`() async throws {
    let server = try RawServer { _, connection in connection.send(RawServer.answer(401)) }
    let session = FixedSession(tokens: ["a", "b", "c", "d"])
    let network = try makeService(server, session: session)
    let error = await failure { try await network.response(for: .init(.get, "/")) }
    #expect(error?.status == 401)
    #expect(server.requests.all.count == 2)
  }

  @Test func `many requests with an expired token refresh it once`() async throws {
    let server = try RawServer { request, connection in
      let isFresh = request.headers["authorization"] == "Bearer new"
      connection.send(RawServer.answer(isFresh ? 200 : 401))
    }
    let count = Mutex(0)
    let session = AuthSessionService(store: MemoryTokenStore(AuthToken(access: "old"))) { _ in
      count.withLock { $0 += 1 }
      return AuthToken(access: "new")
    }
    let network = try makeService(server, session: session)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<30 {
        group.addTask { try await network.response(for: .init(.get, "/")).status }
      }
      for try await status in group { #expect(status == 200) }
    }
    #expect(count.withLock(\.self) == 1)
  }

  @Test func `the token does not occur in an error that repeats it`() async throws {
    let server = try RawServer { request, connection in
      connection.send(
        RawServer.answer(400, [:], "bad header \(request.headers["authorization"] ?? "")"))
    }
    let network = try makeService(server, session: FixedSession(tokens: ["s3cret"]))
    let error = await failure { try await network.response(for: .init(.get, "/")) }
    #expect(error?.bodyExcerpt == "bad header Bearer …")
  }

  @Test func `a request that needs no session has no token`() async throws {
    let server = try RawServer { _, connection in connection.send(RawServer.answer(401)) }
    let network = try makeService(server, session: FixedSession(tokens: ["a", "b"]))
    var request = NetworkRequest(.get, "/public")
    request.isAuthorized = false
    let sent = request
    let error = await failure { try await network.response(for: sent) }
    #expect(error?.status == 401)
    #expect(server.requests.all.map { $0.headers["authorization"] } == [nil])
  }

  @Test func `an ended session is an error that says to sign in`() async throws {
    let server = try RawServer { _, connection in connection.send(RawServer.answer(401)) }
    let session = AuthSessionService(store: MemoryTokenStore(AuthToken(access: "old"))) { _ in
      throw AuthSessionError.refused("revoked")
    }
    let network = try makeService(server, session: session)
    let error = await failure { try await network.response(for: .init(.get, "/")) }
    #expect(error?.kind == .notSignedIn)
    #expect(error?.message.contains("revoked") == true)
    #expect(await (try session.token()) == nil)
  }
}

/// Gives its tokens one after the other.
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
