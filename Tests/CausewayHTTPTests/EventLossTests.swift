import CausewayData
import TestSupport
import Testing

@testable import CausewayHTTP

/// How soon a stream notices that its server is lost.
@Suite(.timeLimit(.minutes(10)))
struct EventLossTests {
  @Test(arguments: TransportKind.allCases)
  func `a stream that does not reconnect reports the loss`(
    _ transport: TransportKind
  ) async throws {
    let server = try RawServer { _, connection in
      connection.send(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: a\n\n")
    }
    let network = try makeService(server, transport: transport)
    let events = Log<NetworkEvent>()
    let error = await failure {
      let stream = network.events(for: .init(.get, "/events"), reconnects: false) { _ in }
      for try await event in stream { events.append(event) }
    }
    #expect(error?.kind == .connectionLost)
    #expect(events.all.map(\.data) == ["a"])
    #expect(server.requests.all.count == 1)
  }

  @Test(arguments: TransportKind.allCases)
  func `a frozen server that announced heartbeats is lost after two intervals`(
    _ transport: TransportKind
  ) async throws {
    let server = try RawServer { _, connection in
      connection.send(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nHeartbeat-Interval: 8\r\n\r\n"
          + "data: a\n\n")
      connection.waitForClose()
    }
    let clock = ManualClock()
    let network = try makeService(server, transport: transport, clock: clock)
    let events = network.events(for: .init(.get, "/events"), reconnects: false) { _ in }
    var iterator = events.makeAsyncIterator()
    #expect(try await iterator.next()?.data == "a")
    async let next = iterator.next()
    // The watchdog of the response's head sleeps first, for 15 seconds.
    await clock.sleepers(1)
    clock.advance(by: .seconds(15))
    await clock.sleepers(1)
    clock.advance(by: .seconds(3))
    let error: NetworkError?
    do {
      _ = try await next
      error = nil
    } catch let failure as NetworkError {
      error = failure
    }
    #expect(error?.kind == .timedOut)
  }

  @Test(arguments: [("8", 18.0), ("15", 32), ("0.5", 3), ("nan", 90), ("-1", 90), ("1e308", 90)])
  func `an announced interval sets the limit, and an invalid interval does not`(
    _ field: String, _ seconds: Double
  ) {
    let response = NetworkResponse(status: 200, headers: ["heartbeat-interval": field])
    #expect(EventStreamPolicy().silence(after: response) == .seconds(seconds))
  }
}
