#if os(Linux)
  import CausewayData
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  @testable import CausewayHTTP

  @Suite(.timeLimit(.minutes(10)))
  struct ConnectionTests {
    private static func keptAnswer(_ body: String) -> String {
      RawServer.answer(200, ["Connection": "keep-alive"], body)
    }

    private struct Running {
      var now = 0
      var most = 0
    }

    @Test func `consecutive calls share a connection`() async throws {
      let targets = Log<String>()
      let connections = Log<Int>()
      let server = try RawServer.serving { number, connection in
        connections.append(number)
        while let request = connection.readRequest(number: number) {
          targets.append(request.target)
          connection.send(Self.keptAnswer(request.target))
        }
      }
      let network = try makeService(server)
      for number in 0..<20 {
        let response = try await network.response(for: .init(.get, "/\(number)"))
        #expect(response.body == Array("/\(number)".utf8))
      }
      #expect(targets.all == (0..<20).map { "/\($0)" })
      #expect(connections.all == [0])
    }

    @Test func `a hundred concurrent calls share the allowed connections`() async throws {
      let connections = Log<Int>()
      let running = Mutex(Running())
      let server = try RawServer.serving { number, connection in
        connections.append(number)
        while let request = connection.readRequest(number: number) {
          running.withLock { running in
            running.now += 1
            running.most = max(running.most, running.now)
          }
          running.withLock { $0.now -= 1 }
          connection.send(Self.keptAnswer(request.target))
        }
      }
      let network = try makeService(server) {
        $0.connectionsPerHost = 4
        $0.retry = .never
      }
      let bodies = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
        for number in 0..<100 {
          group.addTask {
            (number, try await network.response(for: .init(.get, "/\(number)")).body)
          }
        }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      for number in 0..<100 { #expect(bodies[number] == Array("/\(number)".utf8)) }
      #expect((1...4).contains(connections.all.count))
      #expect(running.withLock(\.most) <= 4)
      await until { network.openCount == 0 }
    }

    /// Responds to the first request of each connection, and closes it after reading the second.
    private func forgetfulServer(_ requests: Log<RawServer.Request>) throws -> RawServer {
      try RawServer.serving { number, connection in
        guard let first = connection.readRequest(number: number) else { return }
        requests.append(first)
        connection.send(Self.keptAnswer("first"))
        if let second = connection.readRequest(number: number) { requests.append(second) }
      }
    }

    @Test
    func `a non-idempotent request is not resent when a kept connection closes without a response`()
      async throws
    {
      let requests = Log<RawServer.Request>()
      let server = try forgetfulServer(requests)
      let network = try makeService(server)
      _ = try await network.response(for: .init(.get, "/"))
      for body in [NetworkRequest.Body.none, .bytes([1, 2, 3], type: "a/b")] {
        _ = try await network.response(for: .init(.get, "/"))
        let error = await failure {
          try await network.response(for: .init(.post, "/orders", body: body))
        }
        #expect(error?.kind == .connectionLost, "\(String(describing: error))")
      }
      #expect(requests.all.filter { $0.method == "POST" }.count == 2)
    }

    @Test func `an idempotent request is resent with its whole body`() async throws {
      let requests = Log<RawServer.Request>()
      let server = try forgetfulServer(requests)
      let network = try makeService(server) { $0.retry = .never }
      let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
      _ = try await network.response(for: .init(.get, "/"))
      _ = try await network.response(for: .init(.put, "/photo", body: .bytes(bytes, type: "a/b")))
      let puts = requests.all.filter { $0.method == "PUT" }
      #expect(puts.map(\.number) == [0, 1])
      #expect(puts.map(\.body) == [bytes, bytes])
    }

    @Test
    func `a non-idempotent request uses a new connection when the server closed the kept one`()
      async throws
    {
      let ended = Log<Int>()
      let server = try RawServer.serving { number, connection in
        guard connection.readRequest(number: number) != nil else { return }
        connection.send(Self.keptAnswer("ok"))
        connection.end()
        ended.append(number)
      }
      let network = try makeService(server) { $0.retry = .never }
      for number in 1...5 {
        _ = try await network.response(for: .init(.post, "/orders"))
        await ended.wait(for: number)
      }
      #expect(ended.all == [0, 1, 2, 3, 4])
    }

    @Test func `cancelling while connecting ends the call and the connection`() async throws {
      let (connected, closed) = (Log<Int>(), Log<Int>())
      let server = try RawServer.serving { number, connection in
        connected.append(number)
        connection.waitForClose()
        closed.append(number)
      }
      // The TLS handshake with this server never finishes.
      let network = HTTPNetworkService(
        .init(address: try #require(URL(string: "https://127.0.0.1:\(server.port)"))))
      let call = Task { try await network.response(for: .init(.get, "/")) }
      await connected.wait(for: 1)
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
      await closed.wait(for: 1)
      await until { network.openCount == 0 }
    }

    @Test func `calls cancelled at any moment leave no state behind`() async throws {
      let server = try RawServer.serving { number, connection in
        while let request = connection.readRequest(number: number) {
          connection.send(Self.keptAnswer(request.target))
        }
      }
      let network = try makeService(server) { $0.connectionsPerHost = 3 }
      let calls = (0..<200).map { number in
        Task { try await network.response(for: .init(.get, "/\(number)")).body }
      }
      var random = SeededRandom(seed: 7)
      for call in calls.shuffled(using: &random).prefix(150) {
        if Bool.random(using: &random) { await Task.yield() }
        call.cancel()
      }
      for (number, call) in calls.enumerated() {
        switch await call.result {
        case .success(let body): #expect(body == Array("/\(number)".utf8))
        case .failure(let error): #expect(error is CancellationError, "\(error)")
        }
      }
      await until { network.openCount == 0 }
      #expect(try await network.response(for: .init(.get, "/last")).body == Array("/last".utf8))
    }

    @Test func `closing ends all requests, including those that wait for a connection`()
      async throws
    {
      let server = try RawServer { _, connection in connection.waitForClose() }
      let network = try makeService(server) { $0.connectionsPerHost = 2 }
      let kinds = Log<NetworkError.Kind?>()
      await withTaskGroup { group in
        for _ in 0..<50 {
          group.addTask {
            kinds.append(await failure { try await network.response(for: .init(.get, "/")) }?.kind)
          }
        }
        await server.requests.wait(for: 2)
        await until { network.openCount == 50 }
        network.close()
      }
      #expect(kinds.all == Array(repeating: .closed, count: 50))
      #expect(network.openCount == 0)
      let late = await failure { try await network.response(for: .init(.get, "/")) }
      #expect(late?.kind == .closed)
      #expect(server.requests.all.count == 2)
    }

    @Test func `the thread starts with the first request and ends with the service`() async throws {
      let server = try RawServer { _, connection in connection.send(RawServer.answer()) }
      weak var queue: CurlCommandQueue?
      do {
        let network = try makeService(server)
        queue = (network.transport as? CurlTransport)?.queue
        #expect(queue?.hasThread == false)
        _ = try await network.response(for: .init(.get, "/"))
        #expect(queue?.hasThread == true)
      }
      // The queue lives until its thread has ended.
      await until { queue == nil }
      #expect(queue == nil)
    }

    @Test func `a service closed before its first request has no thread`() async throws {
      let server = try RawServer { _, connection in connection.send(RawServer.answer()) }
      let network = try makeService(server)
      network.close()
      let error = await failure { try await network.response(for: .init(.get, "/")) }
      #expect(error?.kind == .closed)
      #expect((network.transport as? CurlTransport)?.queue.hasThread == false)
      #expect(server.requests.all.isEmpty)
    }

    @Test func `a file that shrinks during its upload throws an error and does not hang`()
      async throws
    {
      let path = FileManager.default.temporaryDirectory
        .appending(path: "causeway-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: path) }
      try Data(repeating: 7, count: 8 << 20).write(to: URL(fileURLWithPath: path))
      let server = try RawServer.serving { number, connection in
        connection.waitForClose()
      }
      let network = try makeService(server) { $0.retry = .never }
      let isCut = Mutex(false)
      let error = await failure {
        try await network.response(for: .init(.put, "/", body: .file(path, type: "a/b"))) { _ in
          let isFirst = isCut.withLock { isCut in
            defer { isCut = true }
            return !isCut
          }
          if isFirst { truncate(path, 1_000) }
        }
      }
      #expect(error?.kind == .file, "\(String(describing: error))")
    }
  }
#endif
