import Foundation
import TestSupport
import Testing

@testable import CausewayWeb

@Suite(.timeLimit(.minutes(10)))
struct LifecycleTests {
  @Test func `start returns the bound address and the server responds there`() async throws {
    let server = WebServer(configuration: .patient)
    server.get("/health") { _ in .text("ok") }
    let address = try await server.start()
    #expect(address.port != 0)
    #expect(address.host == "127.0.0.1")
    let answer = try await Client(address).get("/health")
    #expect(answer.status == 200)
    #expect(answer.text == "ok")
    await server.stop()
  }

  @Test func `a port in use, an invalid host and a second start throw clear errors`() async throws {
    let port = try ReservedPort()
    let server = WebServer(configuration: .init(port: port.number))
    let address = try await server.start()
    await #expect(throws: WebServerError.alreadyRunning) { try await server.start() }
    let second = WebServer(configuration: .init(port: address.port))
    await #expect(throws: WebServerError.portInUse(host: "127.0.0.1", port: address.port)) {
      try await second.start()
    }
    let lost = WebServer(configuration: .init(host: "192.0.2.1", port: 0))
    await #expect(throws: WebServerError.badHost("192.0.2.1")) { try await lost.start() }
    let named = WebServer(configuration: .init(host: "example.org", port: 0))
    await #expect(throws: WebServerError.badHost("example.org")) { try await named.start() }
    await server.stop()
    // The port is free again.
    _ = try await second.start()
    await second.stop()
    withExtendedLifetime(port) {}
  }

  @Test func `stopping twice or concurrently is harmless`() async throws {
    let port = try ReservedPort()
    let server = WebServer(configuration: .init(port: port.number))
    await server.stop()
    let address = try await server.start()
    async let one: Void = server.stop()
    async let two: Void = server.stop()
    _ = await (one, two)
    await server.stop()
    #expect(throws: POSIXError.self) { try RawConnection(address) }
    _ = try await server.start()
    await server.stop()
    withExtendedLifetime(port) {}
  }

  @Test func `a running response finishes while the server stops`() async throws {
    let (entered, release) = (Gate(), Gate())
    let server = WebServer(configuration: .patient)
    server.get("/slow") { _ in
      entered.open()
      await release.wait()
      return .text("finished")
    }
    let client = Client(try await server.start())
    async let answer = client.get("/slow")
    await entered.wait()
    async let stopped: Void = server.stop(deadline: .seconds(60))
    release.open()
    #expect(try await answer.text == "finished")
    await stopped
  }

  @Test func `endless work does not delay the stop beyond the deadline`() async throws {
    let (entered, never) = (Gate(), Gate())
    let server = WebServer(configuration: .patient)
    server.get("/stuck") { _ in
      entered.open()
      await never.waitUncancellably()
      return .text("late")
    }
    let client = Client(try await server.start())
    async let answer = try? client.get("/stuck")
    await entered.wait()
    await server.stop(deadline: .milliseconds(20))
    // The connection may be closed before the rejection is written. Both end the wait.
    #expect([503, nil].contains(await answer?.status))
    never.open()
  }

  @Test func `streams end when the server stops, and models are released`() async throws {
    let server = try WebServer.board()
    let tab = try await Tab(Client(try await server.start()))
    let stream = try tab.stream()
    #expect(await stream.status() == 200)
    async let stopped: Void = server.stop(deadline: .seconds(60))
    for await _ in stream.items {}
    await stopped
    #expect(server.sessionCount == 0)
  }

  // The test runs a separate process, because other tests open descriptors and threads
  // concurrently.
  @Test func `starting and stopping leaks neither descriptors nor threads`() async {
    await #expect(processExitsWith: .success) {
      try await Self.serveOnce()
      let before = (try Self.count("/proc/self/fd"), try Self.count("/proc/self/task"))
      for _ in 0..<40 { try await Self.serveOnce() }
      // The system creates timers and threads on first use. A leak would add one per server.
      #expect(try Self.count("/proc/self/fd") < before.0 + 20)
      #expect(try Self.count("/proc/self/task") < before.1 + 20)
    }
  }

  /// Serves a page, and a stream that is still open when the server stops.
  private static func serveOnce() async throws {
    let server = try WebServer.board()
    let address = try await server.start()
    let connection = try RawConnection(address)
    await connection.send("GET / HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n")
    let answer = await connection.read { $0.contains("\"state\"") }
    let token = try #require(answer.firstMatch(of: /"session":"([0-9a-f]+)"/)?.1)
    let cookie = try #require(answer.firstMatch(of: /Set-Cookie: ([^;]+)/)?.1)
    await connection.send(
      "GET /_causeway/stream HTTP/1.1\r\nHost: localhost\r\nCauseway-Session: \(token)\r\n"
        + "Cookie: \(cookie)\r\n\r\n")
    #expect(await connection.read { $0.contains("event: state") }.hasPrefix("HTTP/1.1 200"))
    await server.stop()
    connection.close()
  }

  private static func count(_ folder: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: folder).count
  }
}
