import CausewayData
import CausewayHTTP
import Foundation
import TestSupport
import Testing

@Suite(.tags(.realClock), .timeLimit(.minutes(10)))
struct MisbehavingServerTests {
  @Test(
    arguments: [
      ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", NetworkError.Kind.connectionLost),
      (
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhalf!\r\n10\r\nno",
        .connectionLost
      ),
      ("", .connectionLost),
      ("\u{1}\u{2}garbage\r\n\r\n\r\n", .connectionLost),
    ], TransportKind.allCases)
  func `half a response is a lost connection and never a complete response`(
    _ expected: (answer: String, kind: NetworkError.Kind), _ transport: TransportKind
  ) async throws {
    let server = try RawServer { _, connection in connection.send(expected.answer) }
    let network = try makeService(server, transport: transport)
    let error = await failure { try await network.response(for: .init(.get, "/")) }
    #expect(error?.kind == expected.kind, "\(String(describing: error))")
    #expect(error?.attempts == 3)
    #expect(server.requests.all.count == 3)
  }

  @Test(arguments: TransportKind.allCases) func `a connection reset is a lost connection`(
    _ transport: TransportKind
  ) async throws {
    let server = try RawServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
      connection.resetAtEnd()
    }
    let network = try makeService(server, transport: transport)
    let error = await failure { try await network.response(for: .init(.get, "/")) }
    #expect(error?.kind == .connectionLost, "\(String(describing: error))")
  }

  @Test(arguments: TransportKind.allCases) func `a response sent twice is read once`(
    _ transport: TransportKind
  ) async throws {
    let server = try RawServer { _, connection in
      let answer = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none"
      connection.send(answer + answer)
      connection.waitForClose()
    }
    let network = try makeService(server, transport: transport)
    let response = try await network.response(for: .init(.get, "/"))
    #expect(response.body == Array("one".utf8))
  }

  @Test(arguments: TransportKind.allCases)
  func `connecting to a port without a listener is refused`(
    _ transport: TransportKind
  ) async throws {
    let port = try ReservedPort()
    let network = try makeService(
      at: "http://127.0.0.1:\(port.number)", transport: transport)
    let error = await failure { try await network.response(for: .init(.get, "/")) }
    #expect(error?.kind == .cannotConnect, "\(String(describing: error))")
    withExtendedLifetime(port) {}
  }

  @Test(arguments: TransportKind.cancelling) func `a server that never responds causes a timeout`(
    _ transport: TransportKind
  ) async throws {
    let server = try RawServer { _, connection in connection.waitForClose() }
    let clock = ManualClock()
    let network = try makeService(server, transport: transport, clock: clock) {
      $0.retry = .never
      $0.timeout = .seconds(30)
    }
    async let failed = failure { try await network.response(for: .init(.get, "/")) }
    await server.requests.wait(for: 1)
    await clock.sleepers(1)
    clock.advance(by: .seconds(29))
    #expect(network.openCount == 1)
    clock.advance(by: .seconds(1))
    #expect(await failed?.kind == .timedOut)
  }

  @Test(arguments: TransportKind.cancelling)
  func `header bytes that arrive slowly cause a timeout that says so`(
    _ transport: TransportKind
  ) async throws {
    let server = try RawServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nX-Slow: ")
      while connection.send("a") { Thread.sleep(forTimeInterval: 0.002) }
    }
    let clock = ManualClock()
    let network = try makeService(server, transport: transport, clock: clock) {
      $0.retry = .never
      $0.timeout = .seconds(10)
    }
    async let failed = failure { try await network.response(for: .init(.get, "/")) }
    await server.requests.wait(for: 1)
    await clock.sleepers(1)
    clock.advance(by: .seconds(10))
    let error = await failed
    #expect(error?.kind == .timedOut)
    #expect(error?.message.contains("header") == true, "\(String(describing: error))")
  }

  @Test(arguments: TransportKind.cancelling)
  func `the deadline ends a response that arrives byte by byte`(
    _ transport: TransportKind
  ) async throws {
    let server = try RawServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
      while connection.send("a") { Thread.sleep(forTimeInterval: 0.002) }
    }
    let clock = ManualClock()
    let network = try makeService(server, transport: transport, clock: clock) {
      $0.timeout = .seconds(10)
      $0.deadline = .seconds(30)
    }
    let received = Log<NetworkProgress>()
    async let failed = failure {
      try await network.response(for: .init(.get, "/"), progress: { received.append($0) })
    }
    // The idle timeout does not expire. Only the deadline of the whole call expires.
    for seconds in [9, 9, 9, 3] {
      // The first byte may have been sent before the clock was advanced.
      await received.wait(for: received.all.count + 2)
      await clock.sleepers(1)
      clock.advance(by: .seconds(seconds))
    }
    let error = await failed
    #expect(error?.kind == .timedOut)
    #expect(error?.message.contains("deadline") == true)
    #expect(server.requests.all.count == 1)
  }

  @Test(arguments: TransportKind.cancelling)
  func `an endless body is cancelled at the limit and not stored`(_ transport: TransportKind)
    async throws
  {
    let sent = Log<Int>()
    let server = try RawServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\n\r\n")
      let block = [UInt8](repeating: 7, count: 1 << 16)
      var count = 0
      while connection.send(block) {
        count += block.count
        Thread.sleep(forTimeInterval: 0.001)
      }
      sent.append(count)
    }
    let network = try makeService(server, transport: transport) { $0.bodyLimit = 1 << 20 }
    let error = await failure { try await network.response(for: .init(.get, "/")) }
    #expect(error?.kind == .tooLarge)
    await sent.wait(for: 1)
    #expect(server.requests.all.count == 1)
  }

  @Test(arguments: TransportKind.cancelling)
  func `a body whose declared length exceeds the limit is not read`(_ transport: TransportKind)
    async throws
  {
    let server = try RawServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")
      connection.waitForClose()
    }
    let network = try makeService(server, transport: transport)
    let error = await failure { try await network.response(for: .init(.get, "/")) }
    #expect(error?.kind == .tooLarge)
  }

  @Test(arguments: TransportKind.cancelling)
  func `an oversized error page still reports its status`(
    _ transport: TransportKind
  ) async throws {
    let server = try RawServer { _, connection in
      connection.send("HTTP/1.1 404 No\r\n\r\n")
      let page = String(repeating: "not here ", count: 1_000)
      while connection.send(page) { Thread.sleep(forTimeInterval: 0.001) }
    }
    let network = try makeService(server, transport: transport)
    let error = await failure { try await network.response(for: .init(.get, "/")) }
    #expect(error?.status == 404)
    #expect(error?.bodyExcerpt?.hasPrefix("not here not") == true)
    #expect(error?.bodyExcerpt?.count == 512)
  }
}
