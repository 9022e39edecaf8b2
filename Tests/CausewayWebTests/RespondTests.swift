import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CausewayWeb

/// A server that answers the requests of another server.
@Suite(.timeLimit(.minutes(10)))
struct RespondTests {
  private enum Span { @TaskLocal static var name: String? }

  private static func site(
    _ change: (inout WebServerConfiguration) -> Void = { _ in }
  ) throws -> WebServer {
    let server = try WebServer.board(change)
    server.get("/echo/:name") { request in
      .text("\(request.parameters["name"] ?? "") \(request.query("q") ?? "-")")
    }
    server.put("/raw", bodyLimit: 10) { request in .text("\(request.body.count)") }
    server.get("/span") { _ in .text(Span.name ?? "none") }
    server.asset("/app.css", Array(repeating: UInt8(ascii: "a"), count: 5_000))
    return server
  }

  @Test func `a response has the fields that the server adds, and its length`() async throws {
    let site = try Self.site()
    let response = await site.respond(to: Request(.get, "/echo/a%2Fb?q=x%26y+z"))
    #expect(try await response.bytes == Array("a/b x&y z".utf8))
    #expect(response.headers["Content-Length"] == "9" && response.contentLength == 9)
    #expect(response.headers["X-Content-Type-Options"] == "nosniff")
    let head = await site.respond(to: Request(.head, "/echo/a"))
    #expect(try await head.bytes.isEmpty)
    #expect(head.headers["Content-Length"] == "3")
    let small = await site.respond(
      to: Request(.get, "/app.css", headers: ["Accept-Encoding": "gzip"]))
    #expect(small.headers["Content-Encoding"] == "gzip")
    #expect(try await small.bytes.count < 5_000)
    #expect(await site.respond(to: Request(.get, "/", host: "evil.example")).status.code == 421)
  }

  @Test func `a body is read after the header fields are accepted, up to the limit of its route`()
    async throws
  {
    let site = try Self.site()
    let limits = Log<Int>()
    func put(_ path: String, _ count: Int) async -> Response {
      await site.respond(to: Request(.put, path)) { limit in
        limits.append(limit)
        return Data(count: count)
      }
    }
    #expect(try await put("/raw", 10).bytes == Array("10".utf8))
    #expect(await put("/raw", 11).status.code == 413)
    #expect(await put("/nowhere", 10).status.code == 404)
    #expect(limits.all == [10, 10])
    let failed = await site.respond(to: Request(.put, "/raw")) { _ in throw CancellationError() }
    #expect(failed.status.code == 413)
    #expect(site.site.bodies.withLock(\.total) == 0)
  }

  @Test func `a file arrives in pieces, and a range of it too`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    try Data(content).write(to: folder.appending(path: "a.bin"))
    let site = try Self.site()
    site.files("/files", directory: folder.path)
    let whole = await site.respond(to: Request(.get, "/files/a.bin"))
    #expect(whole.headers["Content-Length"] == "200000")
    #expect(try await whole.bytes == content)
    let part = await site.respond(
      to: Request(.get, "/files/a.bin", headers: ["Range": "bytes=100000-199998"]))
    #expect(part.status.code == 206)
    #expect(try await part.bytes == Array(content[100_000...199_998]))
    // The length is sent already, so a shorter file is an error.
    let shortened = await site.respond(to: Request(.get, "/files/a.bin"))
    try Data(content.prefix(10)).write(to: folder.appending(path: "b.bin"))
    let file = try FileHandle(forWritingTo: folder.appending(path: "a.bin"))
    try file.truncate(atOffset: 10)
    await #expect(throws: POSIXError.self) { try await shortened.bytes }
  }

  @Test func `a page's stream sends its states and heartbeats, and ends with its reader`()
    async throws
  {
    let ended = Log<String>()
    let site = try Self.site {
      $0.heartbeat = .milliseconds(20)
      $0.logAccess = { ended.append("\($0.route ?? "-") \($0.status.code)") }
    }
    let page = await site.respond(to: Request(.get, "/", headers: ["Accept": "application/json"]))
    let document = try JSONValue(parsing: Data(try await page.bytes))
    guard case .string(let token) = document.value(at: "session") else {
      Issue.record("no session")
      return
    }
    let cookie = try #require(page.headers["Set-Cookie"]?.prefix { $0 != ";" })
    var fields: HTTPHeaders = ["Causeway-Session": token, "Cookie": String(cookie)]
    let stream = await site.respond(to: Request(.get, "/_causeway/stream", headers: fields))
    #expect(stream.contentLength == nil && stream.headers["Content-Length"] == nil)
    var text = ""
    var chunks = Optional(stream.chunks.makeAsyncIterator())
    while !text.contains("event: state"), let chunk = try await chunks?.next() {
      text += String(decoding: chunk, as: UTF8.self)
    }
    fields["Content-Type"] = "application/json"
    fields["Causeway-Sequence"] = "1"
    let action = await site.respond(
      to: Request(.post, "/_causeway/action", headers: fields)
    ) { _ in Data(#"{"add":{"_0":3}}"#.utf8) }
    #expect(action.status == .ok)
    while !text.contains(#""count":3"#) || !text.hasSuffix(":\n\n"),
      let chunk = try await chunks?.next()
    {
      text += String(decoding: chunk, as: UTF8.self)
    }
    #expect(ended.all == ["/ 200", "/_causeway/action 200"])
    #expect(site.counters.sessions == 1)
    chunks = nil
    await until { ended.all.count == 3 }
  }

  @Test func `a stream that is never read is closed`() async throws {
    let ended = Log<String>()
    let site = try Self.site { $0.logAccess = { ended.append($0.path) } }
    site.get("/events") { _ in .events(AsyncStream<ServerSentEvent> { _ in }) }
    _ = await site.respond(to: Request(.get, "/events"))
    #expect(ended.all == ["/events"])
    _ = await site.respond(to: Request(.head, "/events"))
    #expect(ended.all == ["/events", "/events"])
  }

  @Test func `the values that surround a request apply to its route, on both servers`()
    async throws
  {
    let site = try Self.site {
      $0.aroundRequest = { request, respond in
        let name = "\(request.route ?? "-") \(request.headers["traceparent"] ?? "-")"
        return await Span.$name.withValue(name) { await respond() }
      }
    }
    let response = await site.respond(
      to: Request(.get, "/span", headers: ["traceparent": "00-1"]))
    #expect(try await response.bytes == Array("/span 00-1".utf8))
    let client = Client(try await site.start())
    #expect(try await client.get("/span", ["traceparent": "00-2"]).text == "/span 00-2")
    let tab = try await Tab(client)
    #expect(try await tab.act(1, #"{"add":{"_0":2}}"#).status == 200)
    await site.stop()
  }

  @Test func `sessions end when the task of tendSessions ends`() async throws {
    let site = try Self.site()
    let tending = Task { await site.tendSessions() }
    let page = await site.respond(to: Request(.get, "/"))
    #expect(page.status == .ok && site.counters.sessions == 1)
    tending.cancel()
    await tending.value
    #expect(site.counters.sessions == 0)
  }

  @Test func `streams end when the server around the site is told to stop`() async {
    await #expect(processExitsWith: .success) {
      try await Self.stop(settingHandlerLate: false)
    }
  }

  @Test func `streams end when the server around the site sets its handler late`() async {
    await #expect(processExitsWith: .success) {
      try await Self.stop(settingHandlerLate: true)
    }
  }

  @Test func `a site does not keep a signal from ending its process`() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      let site = try Self.site { $0.heartbeat = .milliseconds(20) }
      async let _ = site.tendSessions()
      site.get("/events") { _ in .events(AsyncStream<ServerSentEvent> { _ in }) }
      let stream = await site.respond(to: Request(.get, "/events"))
      for try await _ in stream.chunks { kill(getpid(), SIGTERM) }
    }
  }

  /// Sends this process signals until an open stream has ended.
  ///
  /// - Parameter isLate: Whether the handler is set after the stream has begun.
  private static func stop(settingHandlerLate isLate: Bool) async throws {
    let site = try site { $0.heartbeat = .milliseconds(20) }
    site.get("/events") { _ in .events(AsyncStream<ServerSentEvent> { _ in }) }
    let tending = Task { await site.tendSessions() }
    var stream = await site.respond(to: Request(.get, "/events")).chunks.makeAsyncIterator()
    if isLate { _ = try await stream.next() }
    let (source, handled) = handleSignals()
    while try await stream.next() != nil { kill(getpid(), SIGTERM) }
    await handled.wait(for: 1)
    // A page that connects again gets no stream.
    #expect(try await site.respond(to: Request(.get, "/events")).bytes.isEmpty)
    // Plain responses are not affected.
    #expect(await site.respond(to: Request(.get, "/")).status == .ok)
    source.cancel()
    tending.cancel()
    await tending.value
  }

  /// Handles SIGTERM like Hummingbird and Vapor.
  private static func handleSignals() -> (any DispatchSourceSignal, Log<Int32>) {
    let handled = Log<Int32>()
    signal(SIGTERM, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGTERM)
    source.setEventHandler { handled.append(SIGTERM) }
    source.activate()
    return (source, handled)
  }
}
