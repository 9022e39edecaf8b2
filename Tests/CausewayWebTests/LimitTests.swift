import Foundation
import TestSupport
import Testing

@testable import CausewayWeb

/// The checks of the server before it works for a client.
struct LimitTests {
  @Test(
    arguments: [
      ("", 401), ("Causeway-Session: 00000000000000000000000000000000\r\n", 410),
      ("Causeway-Session: SESSION\r\n", 410),
      ("Causeway-Session: SESSION\r\nCookie: COOKIE\r\nContent-Type: text/plain\r\n", 415),
      ("Causeway-Session: SESSION\r\nCookie: COOKIE\r\nContent-Type: application/json\r\n", 400),
    ])
  func `an action is rejected before its body is read`(fields: String, status: Int) async throws {
    let server = try WebServer.board()
    let address = try await server.start()
    let tab = try await Tab(Client(address))
    let own = fields.replacing("SESSION", with: tab.token).replacing("COOKIE", with: tab.cookie)
    let connection = try RawConnection(address)
    await connection.send(
      "POST /_causeway/action HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(own)"
        + "Content-Length: 1000000\r\nExpect: 100-continue\r\n\r\n")
    let answer = await connection.read()
    #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
    connection.close()
    await server.stop()
  }

  @Test(arguments: [
    "GET /items HTTP/1.1\r\nHost: local",
    "POST /items HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{",
    "",
  ])
  func `a request that does not arrive in time closes its connection`(start: String) async throws {
    let server = try WebServer.board {
      $0.limits.requestTimeout = .milliseconds(100)
      $0.heartbeat = .milliseconds(20)
    }
    server.post("/items") { _ in .text("late") }
    let connection = try RawConnection(try await server.start())
    await connection.send(start)
    // Returns when the server closes the connection. No byte follows, and the library itself would
    // wait for an hour.
    _ = await connection.read()
    connection.close()
    await server.stop()
  }

  @Test func `a slow response has no deadline`() async throws {
    let server = try WebServer.board {
      $0.limits.requestTimeout = .milliseconds(100)
      $0.heartbeat = .milliseconds(20)
    }
    let tab = try await Tab(Client(try await server.start()))
    let stream = try tab.stream(lastEventID: "1")
    var comments = 0
    for await case .event(let event) in stream.items where event.isComment {
      comments += 1
      if comments == 10 { break }
    }
    #expect(comments == 10)
    await server.stop()
  }

  @Test func `idle connections are closed when new ones need their place`() async throws {
    let server = try WebServer.board { $0.limits.connections = 3 }
    let address = try await server.start()
    let silent = try (0..<3).map { _ in try RawConnection(address) }
    // Rejected until one of them has waited for a second.
    while true {
      let connection = try RawConnection(address)
      await connection.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      let answer = await connection.read()
      connection.close()
      if answer.hasPrefix("HTTP/1.1 200") { break }
      #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 503"), "\(answer)")
    }
    for connection in silent { connection.close() }
    await server.stop()
  }

  @Test func `connections of one address are limited, except those of a trusted proxy`()
    async throws
  {
    for (uncounted, expected) in [([], 429), (["127.0.0.1"], 200)] as [(Set<String>, Int)] {
      let server = try WebServer.board {
        $0.limits.connectionsPerAddress = 1
        $0.uncountedAddresses = uncounted
      }
      let address = try await server.start()
      let first = try RawConnection(address)
      await first.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(await first.read { $0.contains("</html>") }.hasPrefix("HTTP/1.1 200"))
      let second = try RawConnection(address)
      await second.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      #expect(await second.read().hasPrefix("HTTP/1.1 \(expected)"))
      first.close()
      second.close()
      await server.stop()
    }
  }

  @Test func `sessions of one address are limited, except those of a trusted proxy`() async throws {
    for (uncounted, expected) in [([], 429), (["127.0.0.1"], 200)] as [(Set<String>, Int)] {
      let server = try WebServer.board {
        $0.limits.sessionsPerAddress = 1
        $0.uncountedAddresses = uncounted
      }
      let client = Client(try await server.start())
      #expect(try await client.get("/").status == 200)
      #expect(try await client.get("/").status == expected)
      await server.stop()
    }
  }

  @Test func `a browser with too many tabs loses its oldest disconnected session`() async throws {
    let server = try WebServer.board { $0.limits.sessionsPerBrowser = 2 }
    let client = Client(try await server.start())
    let first = try await Tab(client)
    let second = try await Tab(client, cookie: first.cookie)
    let streams = [try first.stream()]
    #expect(await streams[0].status() == 200)
    let third = try await Tab(client, cookie: first.cookie)
    #expect(try await second.act(1, #"{"add":{"_0":1}}"#).code == "unknown-session")
    #expect(try await first.act(1, #"{"add":{"_0":1}}"#).status == 200)
    let open = try third.stream()
    #expect(await open.status() == 200)
    let refused = try await client.get("/", ["Cookie": first.cookie])
    #expect(refused.status == 429)
    #expect(refused.code == "too-many-sessions")
    // Another browser is not affected.
    #expect(try await client.get("/").status == 200)
    await server.stop()
  }

  @Test func `sessions of pages that never connect are removed when new ones need their place`()
    async throws
  {
    let server = try WebServer.board { $0.limits.sessions = 3 }
    let client = Client(try await server.start())
    let used = try await Tab(client)
    #expect(try await used.act(1, #"{"add":{"_0":1}}"#).status == 200)
    for _ in 0..<2 { #expect(try await client.get("/").status == 200) }
    // Rejected until the pages had time to connect.
    while try await client.get("/").status != 200 {}
    #expect(try await used.act(2, #"{"add":{"_0":1}}"#).status == 200)
    #expect(server.sessionCount == 3)
    await server.stop()
  }

  @Test func `an error is a page for a browser and a problem document for other clients`()
    async throws
  {
    let server = try WebServer.board()
    server.get("/broken") { _ in throw Problem(.conflict, code: "x", detail: "<b>No.</b>") }
    let client = Client(try await server.start())
    let accept = ["Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"]
    for (path, status) in [("/nowhere", 404), ("/broken", 409)] {
      let page = try await client.get(path, accept)
      #expect(page.status == status)
      #expect(page.headers["content-type"] == "text/html; charset=utf-8")
      #expect(page.text.contains("<h1>") && !page.text.contains("<b>"))
      #expect(page.headers["content-security-policy"] != nil)
      let document = try await client.get(path)
      #expect(document.status == status)
      #expect(document.headers["content-type"] == "application/problem+json")
    }
    let foreign = try await client.get("/", accept.merging(["Host": "evil.example"]) { $1 })
    #expect(foreign.status == 421)
    #expect(foreign.text.contains("<h1>"))
    await server.stop()
  }
}
