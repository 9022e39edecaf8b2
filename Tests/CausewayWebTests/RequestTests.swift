import Foundation
import TestSupport
import Testing

@testable import CausewayWeb

@Suite(.timeLimit(.minutes(10)))
struct RequestTests {
  private struct Item: Codable, Sendable {
    var name: String
    var size: Int
  }

  private static func server(
    _ change: (inout WebServerConfiguration) -> Void = { _ in }
  ) -> WebServer {
    var configuration = WebServerConfiguration.patient
    change(&configuration)
    let server = WebServer(configuration: configuration)
    server.get("/echo/:name") { request in
      .text("\(request.parameters["name"] ?? "") \(request.query("q") ?? "-")")
    }
    server.post("/items", body: Item.self) { _, item in Item(name: item.name, size: item.size + 1) }
    server.get("/items", json: { _ in [Item(name: "a", size: 1)] })
    server.put("/raw", bodyLimit: 10) { request in .text("\(request.body.count)") }
    server.delete("/items") { _ in .empty() }
    server.get("/broken") { _ in throw CocoaError(.fileNoSuchFile) }
    server.get("/mine") { _ in throw Problem(.forbidden, code: "not-yours", detail: "No.") }
    server.asset("/app.css", Array("body{}".utf8))
    return server
  }

  @Test func `routes receive parameters, queries and typed JSON`() async throws {
    let server = Self.server()
    let client = Client(try await server.start())
    let echo = try await client.get("/echo/a%2Fb%20c?q=x%26y+z")
    #expect(echo.text == "a/b c x&y z")
    let json = ["Content-Type": "application/json; charset=utf-8"]
    let item = try await client.send("POST", "/items", json, body: #"{"name":"n","size":1}"#)
    #expect(item.json == ["name": "n", "size": 2])
    #expect(item.headers["content-type"] == "application/json")
    #expect(try await client.get("/items").json == [["name": "a", "size": 1]])
    #expect(try await client.send("DELETE", "/items").status == 204)
    let wrong = try await client.send("POST", "/items", json, body: #"{"name":"n"}"#)
    #expect(wrong.status == 400)
    #expect(wrong.text.contains(#"The member \"size\" is missing."#))
    let form = try await client.send("POST", "/items", ["Content-Type": "text/plain"], body: "{}")
    #expect(form.status == 415)
    await server.stop()
  }

  @Test(arguments: [
    ("application/json", true), ("\t Application/JSON\t ; charset=utf-8", true),
    ("application/vnd.item+JSON", true), ("application/json;", true), ("", false), (" ", false),
    (";application/json", false), ("text/plain; a=+json", false), ("json", false),
    ("\u{A0}application/json", false),
    // A browser sends these without a preflight request, because it reads the type as `text/plain`.
    ("text/plain;\u{301}+json", false), ("text/plain;\u{200D}+json", false),
  ])
  func `only a content type of JSON is read as JSON`(type: String, isJSON: Bool) {
    #expect(type.declaresJSON == isJSON)
  }

  @Test func `errors are problem documents and reveal no internals`() async throws {
    let reported = Log<String>()
    let server = Self.server {
      // The servers of concurrent tests can use up the limit of open files.
      $0.reportError = { if !($0 is TooFewOpenFiles) { reported.append("\($0)") } }
    }
    let client = Client(try await server.start())
    let broken = try await client.get("/broken")
    #expect(broken.status == 500)
    #expect(broken.code == "internal")
    #expect(broken.headers["content-type"] == "application/problem+json")
    #expect(reported.all.count == 1)
    #expect(try await client.get("/mine").code == "not-yours")
    #expect(try await client.get("/nowhere").code == "not-found")
    #expect(try await client.get("/echo/%ff").code == "bad-request")
    let method = try await client.send("POST", "/mine")
    #expect(method.status == 405)
    #expect(method.headers["allow"] == "GET, HEAD")
    #expect(try await client.send("OPTIONS", "/mine").status == 405)
    await server.stop()
  }

  @Test(arguments: ["/echo/x", "/app.css", "/nowhere", "/_causeway/causeway.js", "/"])
  func `every response has the security header fields`(path: String) async throws {
    let server = Self.server()
    server.page("/", try PageTemplate(Board.page)) { _ in throw Problem.notFound("No board.") }
    let answer = try await Client(try await server.start()).get(path)
    #expect(answer.headers["x-content-type-options"] == "nosniff")
    #expect(answer.headers["x-frame-options"] == "DENY")
    #expect(answer.headers["referrer-policy"] == "same-origin")
    let policy = try #require(answer.headers["content-security-policy"])
    #expect(policy.contains("frame-ancestors 'none'") && policy.contains("script-src 'self';"))
    #expect(!policy.contains("unsafe"))
    #expect(answer.headers["cache-control"] != nil)
    await server.stop()
  }

  @Test func `assets support entity tags, ranges and HEAD`() async throws {
    let server = Self.server()
    let client = Client(try await server.start())
    let whole = try await client.get("/app.css")
    #expect(whole.headers["content-type"] == "text/css; charset=utf-8")
    let tag = try #require(whole.headers["etag"])
    #expect(try await client.get("/app.css", ["If-None-Match": tag]).status == 304)
    let part = try await client.get("/app.css", ["Range": "bytes=1-2"])
    #expect(part.status == 206)
    #expect(part.text == "od")
    #expect(part.headers["content-range"] == "bytes 1-2/6")
    #expect(
      try await client.get("/app.css", ["Range": "bytes=1-2", "If-Range": "\"x\""]).status == 200)
    #expect(try await client.get("/app.css", ["Range": "bytes=9-"]).status == 416)
    let head = try await client.send("HEAD", "/app.css")
    #expect(head.status == 200)
    #expect(head.headers["content-length"] == "6")
    #expect(head.body.isEmpty)
    let script = try await client.get("/_causeway/causeway.js")
    #expect(script.headers["content-type"] == "text/javascript; charset=utf-8")
    #expect(script.headers["etag"] != nil)
    await server.stop()
  }

  @Test func `files are served only from their folder`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let inside = folder.appending(path: "inside/sub")
    try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("secret".utf8).write(to: folder.appending(path: "secret.txt"))
    try Data("hidden".utf8).write(to: folder.appending(path: "inside/.hidden"))
    try Data("0123456789".utf8).write(to: inside.appending(path: "a.txt"))
    try FileManager.default.createSymbolicLink(
      at: inside.appending(path: "out.txt"),
      withDestinationURL: folder.appending(path: "secret.txt"))
    let server = Self.server()
    server.files("/files", directory: folder.appending(path: "inside").path)
    let client = Client(try await server.start())
    let file = try await client.get("/files/sub/a.txt", ["Range": "bytes=-4"])
    #expect(file.status == 206)
    #expect(file.text == "6789")
    let tag = try #require(file.headers["etag"])
    #expect(try await client.get("/files/sub/a.txt", ["If-None-Match": tag]).status == 304)
    for path in [
      "/files/sub/out.txt", "/files/%2e%2e/secret.txt", "/files/..%2Fsecret.txt", "/files/.hidden",
      "/files/sub", "/files/", "/files/sub/none", "/files//sub/a.txt",
    ] {
      #expect(try await client.get(path).status == 404, "\(path)")
    }
    await server.stop()
  }

  @Test func `a client that sends its whole body above the limit reads the refusal`() async throws {
    let server = Self.server()
    let client = Client(try await server.start())
    for size in [1 << 20, 5 << 20] {
      let answer = try await client.send("PUT", "/raw", body: String(repeating: "x", count: size))
      #expect(answer.status == 413)
    }
    await server.stop()
  }

  @Test func `bodies above the limit are rejected before they arrive`() async throws {
    let server = Self.server()
    let address = try await server.start()
    let client = Client(address)
    #expect(try await client.send("PUT", "/raw", body: "0123456789").text == "10")
    let long = try await client.send("PUT", "/raw", body: "0123456789x")
    #expect(long.status == 413)
    #expect(long.code == "body-too-large")
    for head in [
      "Content-Length: 99999999\r\n\r\n", "Content-Length: 11\r\nExpect: 100-continue\r\n\r\n",
    ] {
      let connection = try RawConnection(address)
      await connection.send("PUT /raw HTTP/1.1\r\nHost: localhost\r\n" + head)
      let answer = await connection.read { $0.contains("body-too-large") }
      #expect(answer.hasPrefix("HTTP/1.1 413"), "\(answer)")
      connection.close()
    }
    await server.stop()
  }

  @Test(arguments: [20_000, 200_000])
  func `headers above the limit are rejected`(size: Int) async throws {
    let server = Self.server()
    let connection = try RawConnection(try await server.start())
    let long = String(repeating: "x", count: size)
    await connection.send("GET /items HTTP/1.1\r\nHost: localhost\r\nX: \(long)\r\n\r\n")
    let answer = await connection.read { $0.contains("header-too-large") }
    #expect(answer.hasPrefix("HTTP/1.1 431"), "\(answer.prefix(200))")
    connection.close()
    await server.stop()
  }

  @Test(arguments: [
    ("localhost:80@evil.example", 421), ("[::1]evil.example", 421), ("localhost:", 200),
    ("evil.example", 421), ("evil.example:8080", 421), ("127.0.0.1.evil.example", 421), ("", 421),
    ("localhost", 200), ("127.0.0.1:1", 200), ("LOCALHOST:80", 200), ("[::1]:80", 200),
    ("board.example", 200),
  ])
  func `only requests for known hosts are accepted`(host: String, status: Int) async throws {
    let server = Self.server { $0.allowedHosts = ["board.example"] }
    let connection = try RawConnection(try await server.start())
    await connection.send("GET /items HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
    let answer = await connection.read()
    #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
    connection.close()
    await server.stop()
  }

  @Test(
    arguments: [
      (["Origin": "http://evil.example"], 403), (["Origin": "null"], 403),
      (["Sec-Fetch-Site": "cross-site"], 403), (["Sec-Fetch-Site": "same-site"], 403),
      (["Sec-Fetch-Site": "same-origin"], 204), (["Origin": "https://friend.example"], 204),
      ([:], 204),
    ] as [([String: String], Int)])
  func `other sites cannot change state`(headers: [String: String], status: Int) async throws {
    let server = Self.server { $0.allowedOrigins = ["https://friend.example"] }
    let client = Client(try await server.start())
    #expect(try await client.send("DELETE", "/items", headers).status == status)
    let own = ["Origin": client.address.url]
    #expect(try await client.send("DELETE", "/items", own).status == 204)
    await server.stop()
  }

  @Test func `pipelined requests are answered in order`() async throws {
    let server = Self.server()
    let connection = try RawConnection(try await server.start())
    let requests = (0..<20).map { "GET /echo/\($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }
    await connection.send(requests.joined())
    let answer = await connection.read { $0.contains("19 -") }
    let bodies = answer.split(separator: "\r\n").filter { $0.contains(" -") }
      .map { $0.prefix { $0 != " " } }
    #expect(bodies == (0..<20).map { "\($0)" }, "\(answer)")
    connection.close()
    await server.stop()
  }

  @Test func `an incomplete request blocks no other client and times out`() async throws {
    let server = Self.server { $0.limits.transferTimeout = .seconds(1) }
    let address = try await server.start()
    let half = try RawConnection(address)
    await half.send("POST /items HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{")
    #expect(try await Client(address).get("/items").status == 200)
    _ = await half.read()  // Returns when the server closes.
    half.close()
    await server.stop()
  }

  @Test func `waiting work does not block other requests`() async throws {
    let gate = Gate()
    let server = Self.server()
    server.get("/wait") { _ in
      await gate.wait()
      return .text("done")
    }
    let client = Client(try await server.start())
    async let waiting = client.get("/wait")
    for _ in 0..<10 { #expect(try await client.get("/items").status == 200) }
    gate.open()
    #expect(try await waiting.text == "done")
    await server.stop()
  }

  @Test func `connections above the limit get a response that says so`() async throws {
    let gate = Gate()
    let server = Self.server { $0.limits.connections = 2 }
    // To accept the third connection, the server may close a connection without a request.
    let entered = Log<Int>()
    server.get("/wait") { _ in
      entered.append(1)
      await gate.wait()
      return .text("done")
    }
    let address = try await server.start()
    let held = try (0..<2).map { _ in try RawConnection(address) }
    for connection in held {
      await connection.send("GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n")
    }
    await entered.wait(for: 2)
    let third = try RawConnection(address)
    await third.send("GET /items HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let answer = await third.read()
    #expect(answer.hasPrefix("HTTP/1.1 503") && answer.contains("too-many-connections"))
    gate.open()
    for connection in held + [third] { connection.close() }
    await server.stop()
  }

  @Test func `an event route sends its elements and is cancelled when the client disconnects`()
    async throws
  {
    let cancelled = Gate()
    let server = Self.server { $0.heartbeat = .milliseconds(20) }
    server.get("/events") { _ in
      .events(
        AsyncStream<ServerSentEvent> { continuation in
          continuation.onTermination = { _ in cancelled.open() }
          for number in 0..<3 { continuation.yield(.init(id: "\(number)", data: "n\(number)")) }
        })
    }
    let client = Client(try await server.start())
    let stream = EventStream(try client.request("GET", "/events"))
    var data: [String] = []
    for await event in stream.events {
      data.append(event.data)
      if data.count == 3 { break }
    }
    #expect(data == ["n0", "n1", "n2"])
    stream.cancel()
    await cancelled.waitUncancellably()
    await server.stop()
  }
}
