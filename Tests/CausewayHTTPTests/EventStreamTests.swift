import CausewayData
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CausewayHTTP

@Suite(.timeLimit(.minutes(10)))
struct EventStreamTests {
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

  private func service(
    _ server: RawServer, transport: TransportKind = .standard,
    session: (any AuthSessionServiceProtocol)? = nil,
    clock: some Clock<Duration> = ContinuousClock(), attempts: Int = .max
  ) throws -> HTTPNetworkService {
    try makeService(server, transport: transport, clock: clock, session: session) {
      $0.events.reconnecting = NetworkRetryPolicy(
        attempts: attempts, firstDelay: .milliseconds(1), longestDelay: .milliseconds(1))
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `an interrupted stream resumes after its last event, without loss or repetition`(
    _ transport: TransportKind
  )
    async throws
  {
    // Sends three events on each connection and disconnects in the middle of the fourth.
    let server = try RawServer { request, connection in
      let first = (Int(request.headers["last-event-id"] ?? "") ?? 0) + 1
      guard first <= 9 else {
        connection.send(RawServer.answer(204))
        return
      }
      connection.send(Self.head)
      for number in first..<(first + 3) {
        connection.send("id: \(number)\nevent: tick\ndata: event \(number)\n\n")
      }
      connection.send("id: \(first + 3)\ndata: half an ev")
    }
    let network = try service(server, transport: transport)
    var events: [NetworkEvent] = []
    for try await event in network.events(for: .init(.get, "/events")) { events.append(event) }
    #expect(events == (1...9).map { .init(id: "\($0)", name: "tick", data: "event \($0)") })
    #expect(server.requests.all.map { $0.headers["last-event-id"] } == [nil, "3", "6", "9"])
    #expect(server.requests.all.first?.headers["accept"] == "text/event-stream")
  }

  @Test(arguments: TransportKind.cancelling)
  func `no request is sent before the stream is iterated`(
    _ transport: TransportKind
  ) async throws {
    let server = try RawServer { _, connection in connection.send(RawServer.answer(204)) }
    let network = try service(server, transport: transport)
    let events = network.events(for: .init(.get, "/events"))
    #expect(network.openCount == 0)
    for try await _ in events {}
    #expect(server.requests.all.count == 1)
  }

  @Test(arguments: TransportKind.cancelling) func `releasing the stream closes its connection`(
    _ transport: TransportKind
  ) async throws {
    let closed = Log<Bool>()
    let server = try RawServer { _, connection in
      connection.send(Self.head + "data: a\n\n")
      connection.waitForClose()
      closed.append(true)
    }
    let network = try service(server, transport: transport)
    for try await event in network.events(for: .init(.get, "/events")) {
      #expect(event.data == "a")
      break
    }
    await closed.wait(for: 1)
    #expect(server.requests.all.count == 1)
  }

  @Test(arguments: TransportKind.cancelling)
  func `cancelling the task ends the stream and closes its connection`(_ transport: TransportKind)
    async throws
  {
    let closed = Log<Bool>()
    let server = try RawServer { _, connection in
      connection.send(Self.head + "data: a\n\n")
      connection.waitForClose()
      closed.append(true)
    }
    let network = try service(server, transport: transport)
    let events = Log<NetworkEvent>()
    let reading = Task {
      for try await event in network.events(for: .init(.get, "/events")) { events.append(event) }
    }
    await events.wait(for: 1)
    reading.cancel()
    try await reading.value
    await closed.wait(for: 1)
    #expect(server.requests.all.count == 1)
  }

  @Test(arguments: TransportKind.cancelling)
  func `an HTML page instead of a stream throws an error`(
    _ transport: TransportKind
  ) async throws {
    let server = try RawServer { _, connection in
      connection.send(RawServer.answer(200, ["Content-Type": "text/html"], "<html>"))
    }
    let network = try service(server, transport: transport)
    let error = await failure {
      for try await _ in network.events(for: .init(.get, "/events")) {}
    }
    #expect(error?.kind == .contentType)
    #expect(error?.url == "\(server.address)/events")
    #expect(server.requests.all.count == 1)
  }

  @Test(arguments: TransportKind.cancelling)
  func `an unreachable server ends the stream after the maximum number of attempts`(
    _ transport: TransportKind
  ) async throws {
    let server = try RawServer { _, connection in connection.send(RawServer.answer(503)) }
    let network = try service(server, transport: transport, attempts: 3)
    let error = await failure {
      for try await _ in network.events(for: .init(.get, "/events")) {}
    }
    #expect(error?.status == 503)
    #expect(error?.attempts == 3)
    #expect(server.requests.all.count == 3)
  }

  @Test(arguments: TransportKind.cancelling)
  func `a rejected token is refreshed and the stream reopened`(_ transport: TransportKind)
    async throws
  {
    let server = try RawServer { request, connection in
      if request.headers["authorization"] == "Bearer new" {
        connection.send(RawServer.answer(204))
      } else {
        connection.send(RawServer.answer(401, [:], "expired"))
      }
    }
    let session = FixedSession(tokens: ["old", "new"])
    let network = try service(server, transport: transport, session: session)
    for try await _ in network.events(for: .init(.get, "/events")) {}
    #expect(session.refused.all == ["old"])
  }

  @Test(arguments: TransportKind.cancelling)
  func `a transient refresh failure delays the stream and does not end it`(
    _ transport: TransportKind
  )
    async throws
  {
    let server = try RawServer { request, connection in
      let isFresh = request.headers["authorization"] == "Bearer new"
      connection.send(RawServer.answer(isFresh ? 204 : 401))
    }
    let failures = Mutex(3)
    let session = AuthSessionService(store: MemoryTokenStore()) { _ in
      let isOffline = failures.withLock { count in
        count -= 1
        return count >= 0
      }
      if isOffline { throw NetworkError(.notConnected, message: "offline") }
      return AuthToken(access: "new")
    }
    try await session.signIn(AuthToken(access: "old"), as: "ada")
    let network = try service(server, transport: transport, session: session)
    for try await _ in network.events(for: .init(.get, "/events")) {}
    #expect(
      server.requests.all.map { $0.headers["authorization"] }
        == ["Bearer old", "Bearer old", "Bearer old", "Bearer old", "Bearer new"])
  }

  @Test(arguments: TransportKind.cancelling)
  func `the stream of an ended session fails with an error that says so`(_ transport: TransportKind)
    async throws
  {
    let server = try RawServer { _, connection in connection.send(RawServer.answer(401)) }
    let session = AuthSessionService(store: MemoryTokenStore()) { _ in
      throw AuthSessionError.refused("revoked")
    }
    try await session.signIn(AuthToken(access: "old"), as: "ada")
    let network = try service(server, transport: transport, session: session)
    let error = await failure {
      for try await _ in network.events(for: .init(.get, "/events")) {}
    }
    #expect(error?.kind == .notSignedIn)
    #expect(server.requests.all.count == 1)
  }

  @Test(arguments: TransportKind.cancelling)
  func `a silent server is disconnected and the stream reopened`(_ transport: TransportKind)
    async throws
  {
    let server = try RawServer { request, connection in
      if request.number == 0 {
        connection.send(Self.head + "id: 1\ndata: a\n\n")
        connection.waitForClose()
      } else {
        connection.send(RawServer.answer(204))
      }
    }
    let clock = ManualClock()
    let network = try service(server, transport: transport, clock: clock)
    var iterator = network.events(for: .init(.get, "/events")).makeAsyncIterator()
    #expect(try await iterator.next()?.data == "a")
    async let next = iterator.next()
    // First the watchdog sleeps. After it has ended the connection, the stream waits before it
    // connects again.
    await clock.sleepers(1)
    clock.advance(by: .seconds(90))
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    #expect(try await next == nil)
    #expect(server.requests.all.last?.headers["last-event-id"] == "1")
  }

  @Test func `the state of the connection is reported`() async throws {
    let server = try RawServer { request, connection in
      if request.number == 0 {
        connection.send(Self.head + "data: a\n\n")
      } else {
        connection.send(RawServer.answer(204))
      }
    }
    let network = try service(server)
    let states = Log<NetworkConnection>()
    let events = network.events(for: .init(.get, "/events")) { states.append($0) }
    #expect(states.all.isEmpty)
    for try await _ in events {}
    // The shortest delay, without a random part.
    let wait = states.all.count > 2 ? states.all[2] : .closed
    #expect(states.all == [.connecting, .open, wait, .connecting, .closed])
    guard case .waiting = wait else {
      Issue.record("\(states.all)")
      return
    }
  }

  @Test func `a released or failed stream reports that its connection is closed`() async throws {
    let server = try RawServer { request, connection in
      if request.target == "/events" {
        connection.send(Self.head + "data: a\n\n")
        connection.waitForClose()
      } else {
        connection.send(RawServer.answer(404))
      }
    }
    let network = try service(server)
    let states = Log<NetworkConnection>()
    for try await _ in network.events(for: .init(.get, "/events"), connection: states.append) {
      break
    }
    await states.wait(for: 3)
    #expect(states.all == [.connecting, .open, .closed])
    let failed = Log<NetworkConnection>()
    let error = await failure {
      for try await _ in network.events(for: .init(.get, "/none"), connection: failed.append) {}
    }
    #expect(error?.status == 404)
    #expect(failed.all == [.connecting, .closed])
  }

  @Test(arguments: TransportKind.cancelling)
  func `an oversized line ends the stream with a typed error, after the earlier events`(
    _ transport: TransportKind
  )
    async throws
  {
    let server = try RawServer { _, connection in
      connection.send(Self.head + "data: a\n\ndata: ")
      let block = [UInt8](repeating: 120, count: 1 << 16)
      while connection.send(block) { Thread.sleep(forTimeInterval: 0.001) }
    }
    let network = try service(server, transport: transport)
    var events: [String] = []
    let error = await failure {
      for try await event in network.events(for: .init(.get, "/events")) {
        events.append(event.data)
      }
    }
    #expect(events == ["a"])
    #expect(error?.kind == .eventStream)
    #expect(server.requests.all.count == 1)
  }

  // The connection can be paused only on Linux.
  @Test(.enabled(if: TransportKind.standard == .system))
  func `without back pressure a slow consumer loses no event and buffers at most the limit`()
    async throws
  {
    let count = 3_000
    let server = try RawServer { request, connection in
      let first = (Int(request.headers["last-event-id"] ?? "") ?? 0) + 1
      guard first <= count else {
        connection.send(RawServer.answer(204))
        return
      }
      connection.send(Self.head)
      let padding = String(repeating: "x", count: 100)
      for number in first...count {
        guard connection.send("id: \(number)\ndata: \(padding)\n\n") else { return }
      }
    }
    var configuration = HTTPNetworkService.Configuration(
      address: try #require(URL(string: server.address)))
    configuration.events.waitingLimit = 1 << 16
    configuration.events.reconnecting = NetworkRetryPolicy(
      attempts: .max, firstDelay: .milliseconds(1), longestDelay: .milliseconds(1))
    let network = HTTPNetworkService(
      configuration, session: nil,
      surroundings: Surroundings(clock: ContinuousClock(), random: { 0 }), transport: .system)
    var numbers: [String] = []
    for try await event in network.events(for: .init(.get, "/events")) {
      numbers.append(event.id)
      // The consumer continues only after the buffer has overflowed.
      if numbers.count == 1 { await until { network.openCount == 0 } }
    }
    #expect(server.requests.all.count > 2)
    #expect(numbers == (1...count).map(String.init))
  }

  @Test(arguments: TransportKind.cancelling)
  func `a second consumer of a stream gets an error and does not crash`(_ transport: TransportKind)
    async throws
  {
    let server = try RawServer { _, connection in
      connection.send(Self.head)
      connection.waitForClose()
    }
    let network = try service(server, transport: transport)
    let subscription = EventSubscription(
      network, .init(.get, "/events"), reconnects: true, connection: { _ in })
    let first = Task { try await subscription.next() }
    await server.requests.wait(for: 1)
    let error = await failure { try await subscription.next() }
    #expect(error?.kind == .invalidRequest)
    first.cancel()
    #expect(try await first.value == nil)
  }
}

extension Exchange {
  @discardableResult
  fileprivate func didReceive(_ bytes: [UInt8]) -> ExchangeState.Command {
    bytes.withUnsafeBytes { didReceive($0) }
  }
}

@Suite struct ExchangeTests {
  private func exchange(_ sink: ExchangeState.Sink = .memory(limit: 10)) -> (Exchange, Log<Int>) {
    let exchange = Exchange(sink: sink, redirects: RedirectRule(limit: 1), now: { .zero })
    let cancels = Log<Int>()
    exchange.attach(cancelTask: { cancels.append(1) }, watchdog: nil)
    return (exchange, cancels)
  }

  @Test func `repeated cancellation cancels the request once`() async {
    for order in 0..<4 {
      let (exchange, cancels) = exchange()
      exchange.didReceive(NetworkResponse(status: 200), expecting: nil)
      if order > 0 { exchange.cancel(NetworkError(.timedOut, message: "")) }
      if order > 1 { exchange.didReceive([UInt8](repeating: 1, count: 100)) }
      if order > 2 { exchange.cancel(NetworkError(.other, message: "")) }
      exchange.cancel(NetworkError(.other, message: ""))
      exchange.didComplete(NetworkError(.other, message: ""))
      #expect(cancels.all.count == 1)
    }
  }

  @Test func `without back pressure a full buffer ends the stream after its buffered bytes`()
    throws
  {
    var state = ExchangeState(sink: .stream(limit: 10), isHead: false)
    #expect(state.receive(NetworkResponse(status: 200), expecting: nil) == .proceed)
    #expect(state.receive([1, 2, 3, 4, 5, 6, 7], canPause: false) == .proceed)
    #expect(state.receive([8, 9, 10, 11], canPause: false) == .cancel)
    #expect(state.takeBytes() == [1, 2, 3, 4, 5, 6, 7])
    #expect(throws: NetworkError.self) { try state.outcome?.get() }
  }

  @Test func `with back pressure rejected bytes are offered again, and no chunk is too large`() {
    var state = ExchangeState(sink: .stream(limit: 2), isHead: false)
    #expect(state.receive(NetworkResponse(status: 200), expecting: nil) == .proceed)
    // The chunk exceeds the limit, so it would never fit, and no other bytes are buffered.
    #expect(state.receive([1, 2, 3], canPause: true) == .proceed)
    #expect(state.receive([4], canPause: true) == .pause)
    #expect(state.isPaused)
    #expect(state.receivedCount == 3)
    #expect(state.takeBytes() == [1, 2, 3])
    #expect(!state.isPaused)
    #expect(state.receive([4], canPause: true) == .proceed)
    state.complete(nil)
    #expect(state.takeBytes() == [4])
  }

  @Test func `releasing an exchange cancels the request, but not after the response ended`()
    async throws
  {
    var given: Exchange?
    let cancels: Log<Int>
    (given, cancels) = exchange()
    _ = given
    given = nil
    #expect(cancels.all.count == 1)
    let (ended, none) = exchange()
    ended.didReceive(NetworkResponse(status: 200), expecting: 2)
    ended.didReceive([1, 2])
    ended.didComplete(nil)
    ended.cancel(NetworkError(.other, message: ""))
    #expect(none.all.isEmpty)
    #expect(try await ended.wholeResponse().body == [1, 2])
  }

  @Test func `a response cancelled before its request is attached cancels the request at once`() {
    let exchange = Exchange(
      sink: .memory(limit: 1), redirects: RedirectRule(limit: 1), now: { .zero })
    exchange.cancel(NetworkError(.other, message: ""))
    let cancels = Log<Int>()
    exchange.attach(cancelTask: { cancels.append(1) }, watchdog: nil)
    exchange.cancel(NetworkError(.other, message: ""))
    #expect(cancels.all.count == 1)
  }
}
