import CausewayData
import Foundation
import TestSupport
import Testing

@testable import CausewayHTTP

@Suite(.timeLimit(.minutes(10)))
struct RepeatingTests {
  /// Fails until the third request.
  private func shakyServer(_ status: Int, _ headers: [String: String] = [:]) throws -> RawServer {
    try RawServer { request, connection in
      connection.send(
        request.number < 2 ? RawServer.answer(status, headers) : RawServer.answer(200, [:], "ok"))
    }
  }

  @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
  func `a request with a transient status is retried`(_ status: Int) async throws {
    let server = try shakyServer(status)
    let response = try await makeService(server).response(for: .init(.get, "/"))
    #expect(response.status == 200)
    #expect(server.requests.all.count == 3)
  }

  @Test(arguments: [400, 403, 404, 409, 422, 501])
  func `a permanent status is not retried`(_ status: Int) async throws {
    let server = try shakyServer(status)
    let network = try makeService(server)
    let error = await failure { try await network.response(for: .init(.get, "/")) }
    #expect(error?.status == status)
    #expect(server.requests.all.count == 1)
  }

  @Test(arguments: [(503, 3), (429, 3), (404, 1)])
  func `a cache does not repeat what the network service has repeated`(_ status: Int, _ count: Int)
    async throws
  {
    let server = try RawServer { _, connection in connection.send(RawServer.answer(status)) }
    let network = try makeService(server)
    let cache = ResourceCache<Int, [UInt8]> { key in
      try await network.response(for: .init(.get, "/pictures/\(key)")).body
    }
    let error = await failure { try await cache.value(for: 1) }
    #expect(error?.status == status)
    #expect(server.requests.all.count == count)
  }

  @Test func `a non-idempotent request without a key is not sent twice`() async throws {
    let server = try shakyServer(503)
    let network = try makeService(server)
    for method in [HTTPMethod.post, .patch] {
      let error = await failure { try await network.response(for: .init(method, "/orders")) }
      #expect(error?.status == 503)
    }
    #expect(server.requests.all.count == 2)
  }

  @Test func `a non-idempotent request with a key is resent with the same key`() async throws {
    let server = try shakyServer(503)
    let request = NetworkRequest(
      .post, "/orders", body: .bytes(Array("x".utf8), type: "text/plain"), idempotencyKey: "k-1")
    let response = try await makeService(server).response(for: request)
    #expect(response.status == 200)
    #expect(server.requests.all.map { $0.headers["idempotency-key"] } == ["k-1", "k-1", "k-1"])
    #expect(server.requests.all.map(\.text) == ["x", "x", "x"])
  }

  @Test func `a retry waits for the server's Retry-After`() async throws {
    let server = try shakyServer(503, ["Retry-After": "7"])
    let clock = ManualClock()
    let network = try makeService(server, clock: clock) {
      $0.deadline = nil
      $0.timeout = .seconds(1000)
    }
    async let response = network.response(for: .init(.get, "/"))
    for count in 1...2 {
      await server.requests.wait(for: count)
      // The call sleeps here, not the watchdog of the attempt, which may outlive its request.
      await clock.sleepers(1, within: .seconds(7))
      clock.advance(by: .milliseconds(6_999))
      #expect(server.requests.all.count == count)
      clock.advance(by: .milliseconds(1))
    }
    #expect(try await response.status == 200)
  }

  @Test func `a Retry-After above the limit fails at once and is reported`() async throws {
    let server = try shakyServer(429, ["Retry-After": "3600"])
    let network = try makeService(server)
    let error = await failure { try await network.response(for: .init(.get, "/")) }
    #expect(error?.retryAfter == .seconds(3600))
    #expect(server.requests.all.count == 1)
  }

  @Test(arguments: [
    ("0", Duration.zero), ("99999999999999999999", .seconds(365 * 24 * 3600)),
    ("Wed, 21 Oct 2015 07:28:00 GMT", .zero), ("soon", nil), ("-1", nil), ("1.5", nil),
  ])
  func `Retry-After is read as seconds or as a date`(_ text: String, _ expected: Duration?)
    async throws
  {
    let server = try RawServer { _, connection in
      connection.send(RawServer.answer(503, ["Retry-After": text]))
    }
    let network = try makeService(server) { $0.retry = .never }
    let error = await failure { try await network.response(for: .init(.get, "/")) }
    #expect(error?.retryAfter == expected, "\(String(describing: error))")
  }

  @Test(arguments: [-400, -1, 0, 1, 400])
  func `a date in Retry-After means the same wait if the clock of the device is wrong`(
    days: Double
  ) throws {
    let fields: NetworkHeaders = [
      "retry-after": "Sun, 06 Nov 1994 08:49:37 GMT", "date": "Sun, 06 Nov 1994 08:49:07 GMT",
    ]
    let now = Date(timeIntervalSince1970: 784_111_747 + days * 24 * 3600)
    #expect(RetryAfter.duration(of: fields, now: now) == .seconds(30))
  }

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "Sun Nov 06 08:49:37 1994",
  ])
  func `a date is read in all three HTTP formats`(_ text: String) {
    // Half a minute earlier.
    let now = Date(timeIntervalSince1970: 784_111_747)
    #expect(RetryAfter.duration(of: ["retry-after": text], now: now) == .seconds(30))
  }

  @Test func `a year of two digits is at most 50 years in the future`() {
    let now = Date(timeIntervalSince1970: 1_766_000_000)
    for (year, isFuture) in [("70", true), ("94", false), ("24", false)] {
      let field: NetworkHeaders = ["retry-after": "Sunday, 06-Nov-\(year) 08:49:37 GMT"]
      #expect(RetryAfter.duration(of: field, now: now).map { $0 > .zero } == isFuture, "\(year)")
    }
  }

  @Test func `cancelling ends the wait between two attempts`() async throws {
    let server = try shakyServer(503)
    let clock = ManualClock()
    let network = try makeService(server, clock: clock)
    let call = Task { try await network.response(for: .init(.get, "/")) }
    await server.requests.wait(for: 1)
    await clock.sleepers(1, within: .seconds(1))
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(server.requests.all.count == 1)
  }

  @Test func `delays double up to a limit and are jittered`() {
    let policy = NetworkRetryPolicy(
      attempts: 100, firstDelay: .seconds(1), longestDelay: .seconds(10))
    let failure = NetworkError(.connectionLost, message: "")
    func delay(_ attempt: Int, _ random: Double) -> Duration? {
      policy.delay(after: failure, attempt: attempt, isRepeatable: true, random: random)
    }
    #expect(delay(1, 0) == .milliseconds(500))
    #expect(delay(2, 0) == .seconds(1))
    #expect(delay(4, 0.5) == .seconds(6))
    #expect(delay(99, 0) == .seconds(5))
    #expect(delay(100, 0) == nil)
  }
}
