#if os(Linux)
  import CausewayData
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  @testable import CausewayHTTP

  @Suite(.timeLimit(.minutes(10)))
  struct BackPressureTests {
    private static let limit = 1 << 20
    private static let block = 1 << 16
    /// More bytes than the system buffers for both ends of a local connection.
    private static let systemBuffers = 48 << 20

    private final class Counter: Sendable {
      private let value = Mutex(0)
      var count: Int { value.withLock(\.self) }
      func add(_ number: Int) { value.withLock { $0 += number } }
    }

    /// A server that sends a number of blocks as fast as it can.
    private func flood(
      _ blocks: Int, sent: Counter, ended: Log<Bool> = Log()
    ) throws -> RawServer {
      try RawServer { _, connection in
        connection.send("HTTP/1.1 200 OK\r\n\r\n")
        for number in 0..<blocks {
          let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: Self.block)
          guard connection.send(bytes) else { break }
          sent.add(bytes.count)
        }
        ended.append(true)
      }
    }

    private func start(_ network: HTTPNetworkService) throws -> Exchange {
      let exchange = Exchange(
        sink: .stream(limit: Self.limit), redirects: RedirectRule(limit: 1),
        now: network.transport.surroundings.now)
      network.transport.start(
        try network.wireRequest(for: .init(.get, "/"), token: nil), exchange: exchange,
        timeout: .seconds(30), end: nil)
      return exchange
    }

    @Test func `a slow consumer stops the server's sending and later gets everything`()
      async throws
    {
      let blocks = (200 << 20) / Self.block
      let sent = Counter()
      let server = try flood(blocks, sent: sent)
      let network = try makeService(server)
      let exchange = try start(network)
      await until { exchange.isPaused }
      #expect(exchange.receivedCount <= Self.limit)
      #expect(exchange.receivedCount > Self.limit / 2)
      var count = 0
      var isInOrder = true
      while let bytes = try await exchange.nextBytes() {
        for index in stride(from: 0, to: bytes.count, by: 1_021) {
          let number = (count + index) / Self.block
          if bytes[index] != UInt8(truncatingIfNeeded: number) { isInOrder = false }
        }
        count += bytes.count
        if exchange.receivedCount - count > Self.limit { isInOrder = false }
        #expect(sent.count - count < Self.systemBuffers)
      }
      #expect(count == blocks * Self.block)
      #expect(isInOrder)
    }

    @Test func `releasing a paused stream closes its connection`() async throws {
      let (sent, ended) = (Counter(), Log<Bool>())
      let server = try flood(10_000, sent: sent, ended: ended)
      let network = try makeService(server)
      var exchange: Exchange? = try start(network)
      await until { exchange?.isPaused == true }
      exchange = nil
      await ended.wait(for: 1)
      await until { network.openCount == 0 }
      #expect(sent.count < Self.systemBuffers)
    }

    @Test func `cancelling a task whose stream is paused ends it at once`() async throws {
      let (sent, ended) = (Counter(), Log<Bool>())
      let server = try flood(10_000, sent: sent, ended: ended)
      let network = try makeService(server)
      let exchange = try start(network)
      await until { exchange.isPaused }
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await exchange.nextBytes()
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      await ended.wait(for: 1)
    }

    @Test func `closing a service ends its paused streams`() async throws {
      let (sent, ended) = (Counter(), Log<Bool>())
      let server = try flood(10_000, sent: sent, ended: ended)
      let network = try makeService(server)
      let exchange = try start(network)
      await until { exchange.isPaused }
      network.close()
      await ended.wait(for: 1)
      let error = await failure {
        while try await exchange.nextBytes() != nil {}
      }
      #expect(error?.kind == .closed)
    }

    @Test func `a paused server does not run into the idle timeout`() async throws {
      let blocks = 1_000
      let sent = Counter()
      let server = try flood(blocks, sent: sent)
      let clock = ManualClock()
      let network = try makeService(server, clock: clock)
      let exchange = try start(network)
      await until { exchange.isPaused }
      for _ in 0..<10 {
        await clock.sleepers(1)
        clock.advance(by: .seconds(29))
      }
      var count = 0
      while let bytes = try await exchange.nextBytes() { count += bytes.count }
      #expect(count == blocks * Self.block)
    }

    @Test func `unread events stay at the server, and the connection is kept`() async throws {
      let count = 30_000
      let sent = Counter()
      let server = try RawServer { request, connection in
        guard request.headers["last-event-id"] == nil else {
          connection.send(RawServer.answer(204))
          return
        }
        connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        let padding = String(repeating: "x", count: 100)
        for number in 1...count {
          let event = "id: \(number)\ndata: \(padding)\n\n"
          guard connection.send(event) else { return }
          sent.add(event.utf8.count)
        }
      }
      let network = try makeService(server) {
        $0.events.waitingLimit = 1 << 16
        $0.events.reconnecting = NetworkRetryPolicy(
          attempts: .max, firstDelay: .milliseconds(1), longestDelay: .milliseconds(1))
      }
      var numbers: [String] = []
      for try await event in network.events(for: .init(.get, "/events")) {
        numbers.append(event.id)
        // The consumer continues only after the server has sent much more than the limit.
        if numbers.count == 1 { await until { sent.count > 4 << 16 } }
      }
      #expect(server.requests.all.count == 2)
      #expect(server.requests.all.first?.headers["accept-encoding"] == "identity")
      #expect(numbers == (1...count).map(String.init))
    }
  }
#endif
