import CausewayData
import CausewayHTTP
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RedirectTests {
  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirect is followed`(_ status: Int) async throws {
    let server = try RawServer { request, connection in
      connection.send(
        request.target == "/old"
          ? RawServer.answer(status, ["Location": "/new"]) : RawServer.answer(200, [:], "here"))
    }
    let network = try makeService(server)
    let response = try await network.response(for: .init(.get, "/old"))
    #expect(response.body == Array("here".utf8))
  }

  @Test(arguments: TransportKind.allCases) func `a redirect to itself ends at the limit`(
    _ transport: TransportKind
  ) async throws {
    let server = try RawServer { _, connection in
      connection.send(RawServer.answer(302, ["Location": "/"]))
    }
    let network = try makeService(server, transport: transport) { $0.redirectLimit = 3 }
    let error = await failure { try await network.response(for: .init(.get, "/")) }
    #expect(error?.kind == .redirect, "\(String(describing: error))")
    #expect(server.requests.all.count == 4)
  }

  @Test(arguments: TransportKind.allCases)
  func `a redirect does not send the token to another server`(_ transport: TransportKind)
    async throws
  {
    let thief = try RawServer { _, connection in
      connection.send(RawServer.answer(200, [:], "thanks"))
    }
    let address = thief.address
    let server = try RawServer { _, connection in
      connection.send(RawServer.answer(307, ["Location": "\(address)/steal"]))
    }
    let network = try makeService(
      server, transport: transport, session: FixedSession(tokens: ["s3cret"]))
    _ = try await network.response(for: .init(.get, "/", headers: ["cookie": "a=b"]))
    #expect(server.requests.all.first?.headers["authorization"] == "Bearer s3cret")
    let stolen = try #require(thief.requests.all.first)
    #expect(stolen.headers["authorization"] == nil)
    #expect(stolen.headers["cookie"] == nil)
  }

  @Test(arguments: TransportKind.allCases)
  func `a redirect sends only non-secret fields to another server`(_ transport: TransportKind)
    async throws
  {
    let thief = try RawServer { _, connection in
      connection.send(RawServer.answer(200, [:], "thanks"))
    }
    let address = thief.address
    let server = try RawServer { _, connection in
      connection.send(RawServer.answer(307, ["Location": "\(address)/steal"]))
    }
    let network = try makeService(server, transport: transport) {
      $0.headers = ["x-api-key": "s3cret", "accept-language": "de", "user-agent": "Harbor"]
    }
    _ = try await network.response(
      for: .init(
        .get, "/",
        headers: ["x-signature": "s3cret", "accept": "text/plain", "last-event-id": "41"]))
    #expect(server.requests.all.first?.headers["x-api-key"] == "s3cret")
    let stolen = try #require(thief.requests.all.first)
    #expect(stolen.headers["x-api-key"] == nil)
    #expect(stolen.headers["x-signature"] == nil)
    #expect(stolen.headers["accept"] == "text/plain")
    #expect(stolen.headers["accept-language"] == "de")
    #expect(stolen.headers["user-agent"] == "Harbor")
    // Without this field, the events since the last event would be lost.
    #expect(stolen.headers["last-event-id"] == "41")
  }

  @Test(arguments: TransportKind.allCases, [307, 308])
  func `a redirect does not send the body to another server`(
    _ transport: TransportKind, _ status: Int
  ) async throws {
    let thief = try RawServer { _, connection in
      connection.send(RawServer.answer(200, [:], "thanks"))
    }
    let address = thief.address
    let server = try RawServer { _, connection in
      connection.send(RawServer.answer(status, ["Location": "\(address)/steal"]))
    }
    let network = try makeService(server, transport: transport)
    let error = await failure {
      try await network.response(
        for: .init(.put, "/login", body: .bytes(Array("s3cret".utf8), type: "text/plain")))
    }
    #expect(error?.kind == .redirect, "\(String(describing: error))")
    #expect(error?.message.contains("body") == true)
    #expect(thief.requests.all.isEmpty)
  }

  @Test(arguments: TransportKind.allCases, [301, 302, 303])
  func `a change redirected to a page is not reported as done`(
    _ transport: TransportKind, _ status: Int
  ) async throws {
    let portal = try RawServer { _, connection in
      connection.send(RawServer.answer(200, [:], "sign in"))
    }
    let address = portal.address
    let server = try RawServer { _, connection in
      connection.send(RawServer.answer(status, ["Location": "\(address)/login"]))
    }
    let network = try makeService(server, transport: transport)
    let error = await failure {
      try await network.call(Endpoint(.post, "/orders", body: Berth(name: "North", depth: 4)))
    }
    #expect(error?.kind == .redirect, "\(String(describing: error))")
    #expect(portal.requests.all.isEmpty)
  }

  @Test func `a redirect on the same server sends the body again`() async throws {
    let server = try RawServer { request, connection in
      connection.send(
        request.target == "/old"
          ? RawServer.answer(308, ["Location": "/new"]) : RawServer.answer(200))
    }
    let network = try makeService(server)
    _ = try await network.response(
      for: .init(.post, "/old", body: .bytes(Array("order".utf8), type: "text/plain")))
    #expect(server.requests.all.map(\.text) == ["order", "order"])
    #expect(server.requests.all.map(\.method) == ["POST", "POST"])
  }

  @Test(arguments: TransportKind.allCases)
  func `a redirect on the same server sends all header fields again`(_ transport: TransportKind)
    async throws
  {
    let server = try RawServer { request, connection in
      connection.send(
        request.target == "/old"
          ? RawServer.answer(307, ["Location": "/new"]) : RawServer.answer(200))
    }
    let network = try makeService(server, transport: transport) {
      $0.headers = ["x-api-key": "s3cret"]
    }
    _ = try await network.response(for: .init(.get, "/old"))
    #expect(server.requests.all.map { $0.headers["x-api-key"] } == ["s3cret", "s3cret"])
  }

  @Test(arguments: TransportKind.allCases) func `a redirect to a local file is rejected`(
    _ transport: TransportKind
  ) async throws {
    let server = try RawServer { _, connection in
      connection.send(RawServer.answer(302, ["Location": "file:///etc/passwd"]))
    }
    let network = try makeService(server, transport: transport)
    let error = await failure { try await network.response(for: .init(.get, "/")) }
    #expect(error?.kind == .redirect || error?.status == 302, "\(String(describing: error))")
    #expect(error != nil)
  }
}
