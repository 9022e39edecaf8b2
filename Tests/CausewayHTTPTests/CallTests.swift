import CausewayData
import CausewayHTTP
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CallTests {
  @Test(arguments: TransportKind.allCases) func `a typed endpoint sends JSON and receives JSON`(
    _ transport: TransportKind
  ) async throws {
    let server = try RawServer { request, connection in
      connection.send(RawServer.answer(201, [:], #"{"name":"Kai 3","depth":4.5}"#))
    }
    let network = try makeService(server, transport: transport)
    let berth = try await network.value(
      for: Endpoint<Berth>(
        .post, "/harbours/\("Kiel/Holtenau")/berths", query: [.init("draft", "a&b=c d+é")],
        body: Berth(name: "new", depth: 2)))
    #expect(berth == Berth(name: "Kai 3", depth: 4.5))
    let request = try #require(server.requests.all.first)
    #expect(request.method == "POST")
    #expect(
      request.target == "/harbours/Kiel%2FHoltenau/berths?draft=a%26b%3Dc%20d%2B%C3%A9")
    #expect(request.headers["content-type"] == "application/json")
    #expect(request.headers["accept"] == "application/json")
    #expect(request.text == #"{"depth":2,"name":"new"}"#)
  }

  @Test(arguments: TransportKind.allCases)
  func `a value in a path cannot change the request's target`(
    _ transport: TransportKind
  ) async throws {
    let server = try RawServer { _, connection in connection.send(RawServer.answer()) }
    let network = try makeService(server, transport: transport)
    for name in ["..", ".", ""] {
      let error = await failure { try await network.response(for: .init(.get, "/files/\(name)")) }
      #expect(error?.kind == .invalidRequest, "\(name)")
    }
    let error = await failure { try await network.response(for: .init(.get, "/a?b=c")) }
    #expect(error?.kind == .invalidRequest)
    #expect(server.requests.all.isEmpty)
  }

  @Test(arguments: TransportKind.allCases)
  func `a line break in a header value does not start another field`(_ transport: TransportKind)
    async throws
  {
    let server = try RawServer { _, connection in connection.send(RawServer.answer()) }
    let network = try makeService(server, transport: transport)
    let error = await failure {
      try await network.response(for: .init(.get, "/", headers: ["x-name": "a\r\nx-admin: yes"]))
    }
    #expect(error?.kind == .invalidRequest)
    #expect(server.requests.all.isEmpty)
  }

  @Test(arguments: TransportKind.allCases)
  func `an endpoint without a result accepts an empty response`(_ transport: TransportKind)
    async throws
  {
    let server = try RawServer { request, connection in
      connection.send(
        request.number == 0 ? RawServer.answer(204) : RawServer.answer(200, [:], "done"))
    }
    let network = try makeService(server, transport: transport)
    try await network.call(Endpoint(.delete, "/berths/1"))
    try await network.call(Endpoint(.delete, "/berths/2"))
  }

  @Test(arguments: TransportKind.allCases)
  func `an error names the request without query values, the status and the body`(
    _ transport: TransportKind
  )
    async throws
  {
    let server = try RawServer { _, connection in
      connection.send(RawServer.answer(422, [:], "{\"reason\":\n\"depth\"}"))
    }
    let network = try makeService(server, transport: transport)
    let error = await failure {
      try await network.response(for: .init(.get, "/berths", query: [.init("key", "s3cret")]))
    }
    #expect(error?.kind == .status)
    #expect(error?.status == 422)
    #expect(error?.url == "\(server.address)/berths?key=…")
    #expect(error?.bodyExcerpt == #"{"reason": "depth"}"#)
    #expect(error.map { !"\($0)".contains("s3cret") } == true)
  }

  @Test(arguments: [
    ("{\"name\":\"Kai\"", "not"), ("{\"name\":\"Kai\"}", "\"depth\" is missing"),
    ("<html>", "not a Berth"), ("{\"name\":1,\"depth\":2}", "at name"), ("", "not a Berth"),
  ])
  func `invalid JSON throws an error with its position`(_ body: String, _ part: String) async throws
  {
    let server = try RawServer { _, connection in
      connection.send(RawServer.answer(200, [:], body))
    }
    let network = try makeService(server)
    let error = await failure { try await network.value(for: Endpoint<Berth>(.get, "/berths/1")) }
    #expect(error?.kind == .decoding)
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    #expect(error?.status == 200)
    #expect(server.requests.all.count == 1)
  }

  @Test(arguments: TransportKind.allCases)
  func `text that is not UTF-8 throws an error and does not crash`(_ transport: TransportKind)
    async throws
  {
    let server = try RawServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 14\r\nConnection: close\r\n\r\n")
      connection.send(Array("{\"name\":\"".utf8) + [0xFF, 0xC0] + Array("\"}!".utf8))
    }
    let network = try makeService(server, transport: transport)
    let error = await failure { try await network.value(for: Endpoint<Berth>(.get, "/")) }
    #expect(error?.kind == .decoding)
  }

  @Test(arguments: TransportKind.cancelling)
  func `cancelling a call ends it at once and closes its connection`(_ transport: TransportKind)
    async throws
  {
    let closed = Log<Bool>()
    let server = try RawServer { _, connection in
      connection.waitForClose()
      closed.append(true)
    }
    let network = try makeService(server, transport: transport)
    let call = Task { try await network.response(for: .init(.get, "/never")) }
    await server.requests.wait(for: 1)
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    await closed.wait(for: 1)
  }

  @Test(arguments: TransportKind.cancelling)
  func `closing cancels running requests, and later calls throw an error`(
    _ transport: TransportKind
  )
    async throws
  {
    let server = try RawServer { _, connection in connection.waitForClose() }
    let network = try makeService(server, transport: transport)
    async let call = failure { try await network.response(for: .init(.get, "/never")) }
    async let stream = failure {
      for try await _ in network.events(for: .init(.get, "/events")) {}
    }
    await server.requests.wait(for: 2)
    network.close()
    network.close()
    #expect(await call?.kind == .closed)
    #expect(await stream?.kind == .closed)
    let late = await failure { try await network.response(for: .init(.get, "/")) }
    #expect(late?.kind == .closed)
    #expect(server.requests.all.map(\.target).sorted() == ["/events", "/never"])
  }
}
