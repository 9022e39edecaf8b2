import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CausewayWeb

/// The checks that the server makes before it works for a client.
@Suite(.timeLimit(.minutes(10)))
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

  @Test(
    arguments: [
      ("/sessions", "", 401), ("/sessions", "Causeway-Session: SESSION\r\n", 410),
      ("/sessions", "Causeway-Session: SESSION\r\nCookie: COOKIE\r\n", 200),
      ("/tokens", "Authorization: Bearer wrong\r\n", 403),
      ("/tokens", "Authorization: Bearer right\r\n", 200),
    ])
  func `a route can refuse a client before the body is read`(
    path: String, fields: String, status: Int
  ) async throws {
    let server = try WebServer.board()
    server.post("/sessions", access: .sessions) { request in .text("\(request.body.count)") }
    let tokens = RouteAccess.check { request throws(Problem) in
      guard request.headers["Authorization"] == "Bearer right" else {
        throw Problem(HTTPStatus(403), code: "bad-token", detail: "The token is not known.")
      }
    }
    server.post("/tokens", access: tokens) { request in .text("\(request.body.count)") }
    let address = try await server.start()
    let tab = try await Tab(Client(address))
    let own = fields.replacing("SESSION", with: tab.token).replacing("COOKIE", with: tab.cookie)
    let connection = try RawConnection(address)
    await connection.send(
      "POST \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(own)"
        + "Content-Length: 4\r\nExpect: 100-continue\r\n\r\n")
    let isRefused = status != 200
    let answer = await connection.read { isRefused ? false : $0.contains(" 100 Continue") }
    if isRefused {
      #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
    } else {
      await connection.send("body")
      #expect(await connection.read().contains("HTTP/1.1 200"))
    }
    connection.close()
    await server.stop()
  }

  @Test(arguments: [
    "GET /items HTTP/1.1\r\nHost: local",
    "POST /items HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{",
    "",
  ])
  func `a request that does not arrive in time closes its connection`(start: String) async throws {
    let time = TestTime()
    let server = try WebServer.board {
      $0.limits.requestTimeout = .seconds(20)
      $0.use(time)
    }
    server.post("/items") { _ in .text("late") }
    let connection = try RawConnection(try await server.start())
    await connection.send(start)
    await until { server.connectionCount == 1 }
    // The task ends when the server closes the connection. The client sends no more bytes, and the
    // library itself would wait for an hour. The server may read the header fields after the first
    // advance.
    let closing = Task { await connection.read() }
    await until {
      time.advance(by: .seconds(21), server)
      return server.connectionCount == 0
    }
    _ = await closing.value
    connection.close()
    await server.stop()
  }

  @Test func `the bodies of all requests share a limit, which ends with the requests`() async throws
  {
    let server = try WebServer.board { $0.limits.bufferedBodyBytes = 1_000 }
    server.post("/items") { request in .text("\(request.body.count)") }
    let address = try await server.start()
    let client = Client(address)
    let body = String(repeating: "x", count: 2_000)
    #expect(try await client.send("POST", "/items", body: body).text == "2000")
    await until { server.site.bodies.withLock(\.total) == 0 }
    let slow = try RawConnection(address)
    await slow.send(
      "POST /items HTTP/1.1\r\nHost: localhost\r\nContent-Length: 800\r\n\r\n"
        + body.prefix(700))
    await until { server.site.bodies.withLock(\.total) == 700 }
    let refused = try await client.send("POST", "/items", body: String(body.prefix(400)))
    #expect(refused.status == 503)
    #expect(refused.code == "too-many-bodies")
    #expect(refused.headers["retry-after"] == "1")
    slow.close()
    await until { server.site.bodies.withLock(\.total) == 0 }
    #expect(try await client.send("POST", "/items", body: String(body.prefix(400))).text == "400")
    await server.stop()
  }

  @Test func `bodies that one client holds take no room from other clients`() async throws {
    let server = try WebServer.board {
      $0.limits.bufferedBodyBytes = 8_000
      $0.trustedProxies = ["127.0.0.1"]
    }
    server.post("/items") { request in .text("\(request.body.count)") }
    let address = try await server.start()
    let client = Client(address)
    let body = String(repeating: "x", count: 600)
    let token = String(repeating: "a", count: 32)
    for (field, other) in [
      (("X-Forwarded-For", "203.0.113.7"), ("X-Forwarded-For", "203.0.113.8")),
      (("Causeway-Session", token), ("Causeway-Session", String(repeating: "b", count: 32))),
    ] {
      let slow = try RawConnection(address)
      await slow.send(
        "POST /items HTTP/1.1\r\nHost: localhost\r\n\(field.0): \(field.1)\r\n"
          + "Content-Length: 601\r\n\r\n\(body)")
      await until { server.site.bodies.withLock(\.total) == 600 }
      let refused = try await client.send("POST", "/items", [field.0: field.1], body: body)
      #expect(refused.status == 429 && refused.code == "too-many-bodies")
      #expect(try await client.send("POST", "/items", [other.0: other.1], body: body).text == "600")
      slow.close()
      await until { server.site.bodies.withLock(\.total) == 0 }
      #expect(try await client.send("POST", "/items", [field.0: field.1], body: body).text == "600")
    }
    await server.stop()
  }

  @Test func `a slow response has no deadline`() async throws {
    let time = TestTime()
    let server = try WebServer.board {
      $0.limits.requestTimeout = .seconds(20)
      $0.use(time)
    }
    let tab = try await Tab(Client(try await server.start()))
    let stream = try tab.stream(lastEventID: "1")
    #expect(await stream.status() == 200)
    time.advance(by: .seconds(1800), server)
    #expect(try await tab.act(1, #"{"add":{"_0":2}}"#).status == 200)
    #expect(await stream.state(from: tab.state) { $0.value(at: "count") == 2 } != nil)
    stream.cancel()
    await server.stop()
  }

  @Test func `idle connections are closed when new ones need their place`() async throws {
    let time = TestTime()
    let server = try WebServer.board {
      $0.limits.connections = 3
      $0.use(time)
    }
    let address = try await server.start()
    let silent = try (0..<3).map { _ in try RawConnection(address) }
    await until { server.connectionCount == 3 }
    // The server rejects the request until one of the connections has waited for a second.
    for (wait, status) in [(0, 503), (2, 200)] {
      time.advance(by: .seconds(wait), server)
      let connection = try RawConnection(address)
      await connection.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      let answer = await connection.read()
      connection.close()
      #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
      await until { server.connectionCount <= 3 }
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
        $0.use(TestTime())
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
        $0.use(TestTime())
        $0.uncountedAddresses = uncounted
      }
      let client = Client(try await server.start())
      #expect(try await client.get("/").status == 200)
      #expect(try await client.get("/").status == expected)
      await server.stop()
    }
  }

  @Test func `a browser with too many tabs loses its oldest disconnected session`() async throws {
    let server = try WebServer.board {
      $0.limits.sessionsPerBrowser = 2
      $0.use(TestTime())
    }
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
    let time = TestTime()
    let server = try WebServer.board {
      $0.limits.sessions = 3
      $0.use(time)
    }
    let client = Client(try await server.start())
    let used = try await Tab(client)
    #expect(try await used.act(1, #"{"add":{"_0":1}}"#).status == 200)
    for _ in 0..<2 { #expect(try await client.get("/").status == 200) }
    // The server rejects the page until the other pages had time to connect.
    #expect(try await client.get("/").status == 503)
    time.advance(by: .seconds(4), server)
    #expect(try await client.get("/").status == 200)
    #expect(try await used.act(2, #"{"add":{"_0":1}}"#).status == 200)
    #expect(server.sessionCount == 3)
    await server.stop()
  }

  @Test func `a refused page ends no session`() async throws {
    let time = TestTime()
    let server = try WebServer.board {
      $0.limits.sessionsPerBrowser = 1
      $0.limits.sessions = 2
      $0.use(time)
    }
    let client = Client(try await server.start())
    let left = try await Tab(client)
    #expect(try await left.act(1, #"{"add":{"_0":1}}"#).status == 200)
    let other = try await Tab(client)
    let stream = try other.stream()
    #expect(await stream.status() == 200)
    // The closed tab of the browser can be replaced, so there is room for another tab.
    let next = try await Tab(client, cookie: left.cookie)
    #expect(try await left.act(2, #"{"add":{"_0":1}}"#).code == "unknown-session")
    let open = try next.stream()
    #expect(await open.status() == 200)
    #expect(try await client.get("/", ["Cookie": next.cookie]).status == 429)
    #expect(try await client.get("/").status == 503)
    #expect(server.sessionCount == 2)
    await server.stop()
  }

  @Test func `a session that is not replaced stays if a later limit refuses the page`()
    async throws
  {
    let server = try WebServer.board {
      $0.limits.sessionsPerBrowser = 1
      $0.limits.sessionsPerAddress = 1
      $0.use(TestTime())
      $0.trustedProxies = ["127.0.0.1"]
    }
    let client = Client(try await server.start())
    let (home, work) = (["X-Forwarded-For": "203.0.113.7"], ["X-Forwarded-For": "203.0.113.8"])
    let ana = try await Tab(client, headers: home)
    let ben = try await Tab(client, headers: work)
    let stream = try ben.stream(headers: work)
    #expect(await stream.status() == 200)
    // Ana's browser has a closed tab that could be replaced, but the new address has no room.
    let refused = try await client.get("/", work.merging(["Cookie": ana.cookie]) { $1 })
    #expect(refused.status == 429)
    #expect(server.sessionCount == 2)
    #expect(try await ana.act(1, #"{"add":{"_0":1}}"#, home).status == 200)
    await server.stop()
  }

  @Test func `page loads of an address and of a browser are limited`() async throws {
    let time = TestTime()
    let server = try WebServer.board {
      $0.limits.pageLoadBurst = 3
      $0.limits.pageLoadsPerSecond = 0.5
      $0.trustedProxies = ["127.0.0.1"]
      $0.use(time)
    }
    let client = Client(try await server.start())
    func load(_ address: String, cookie: String? = nil) async throws -> Client.Answer {
      var headers = ["X-Forwarded-For": address]
      headers["Cookie"] = cookie
      return try await client.get("/", headers)
    }
    // All addresses of a /64 network count as one.
    for number in 1...3 { #expect(try await load("2001:db8::\(number)").status == 200) }
    let refused = try await load("2001:db8::4")
    #expect(refused.status == 429)
    #expect(refused.code == "too-many-pages")
    #expect(refused.headers["retry-after"] == "2")
    #expect(try await load("2001:db8:0:1::1").status == 200)
    time.advance(by: .seconds(2), server)
    #expect(try await load("2001:db8::5").status == 200)

    let cookie = try await Tab(client).cookie
    for number in 1...3 {
      #expect(try await load("203.0.113.\(number)", cookie: cookie).status == 200)
    }
    #expect(try await load("203.0.113.4", cookie: cookie).code == "too-many-pages")
    #expect(try await load("203.0.113.4").status == 200)
    await server.stop()
  }

  @Test func `a single header field and a single text of an action are limited`() async throws {
    let server = try WebServer.board {
      $0.limits.headerFieldBytes = 1000
      $0.limits.actionTextBytes = 100
    }
    let client = Client(try await server.start())
    let long = String(repeating: "x", count: 990)
    #expect(try await client.get("/", ["X": long]).status == 200)
    let refused = try await client.get("/", ["X": long + "0123456789"])
    #expect(refused.status == 431)
    #expect(refused.code == "header-field-too-large")

    let tab = try await Tab(client)
    for (number, (text, status)) in [
      (String(repeating: "y", count: 100), 200), (String(repeating: "y", count: 101), 413),
      (String(repeating: #"\""#, count: 50), 200), (String(repeating: #"\""#, count: 51), 413),
    ].enumerated() {
      let answer = try await tab.act(UInt64(number + 1), #"{"say":{"text":"\#(text)"}}"#)
      #expect(answer.status == status)
    }
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

  @Test func `a response that its client does not read ends at its deadline`() async throws {
    let time = TestTime()
    let server = try WebServer.board {
      $0.use(time)
      $0.limits.requestTimeout = .seconds(20)
    }
    let bytes = [UInt8](repeating: 120, count: 32 << 20)
    server.get("/large") { _ in Response(.ok, type: "text/plain", bytes: bytes) }
    let connection = try RawConnection(try await server.start(), receiveBuffer: 4_096)
    await connection.send("GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    _ = await connection.read { !$0.isEmpty }
    // The client has 20 s, and a second for each 16 KiB.
    time.advance(by: .seconds(2_060), server)
    #expect(server.connectionCount == 1)
    time.advance(by: .seconds(10), server)
    await until { server.connectionCount == 0 }
    #expect(server.connectionCount == 0)
    connection.close()
    await server.stop()
  }
}
