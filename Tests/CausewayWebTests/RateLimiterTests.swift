import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CausewayWeb

@Suite struct `A rate limiter` {
  private final class Time: Sendable {
    private let stored = Mutex(Date(timeIntervalSinceReferenceDate: 0))
    var date: Date { stored.withLock(\.self) }
    func pass(_ time: Duration) { stored.withLock { $0 += time / .seconds(1) } }
  }

  private let time = Time()

  private func limiter(_ limit: Int, per period: Duration) -> RateLimiter {
    RateLimiter(limit, per: period, detail: "Too much.", date: { [time] in time.date })
  }

  private func refusal(_ body: () throws(Problem) -> Void) -> Problem? {
    do throws(Problem) { try body() } catch { return error }
    return nil
  }

  @Test func `lets a key use its allowance at once, which then grows back evenly`() {
    let limiter = limiter(6, per: .seconds(60))
    for _ in 1...6 { #expect(refusal { () throws(Problem) in try limiter.count("ana") } == nil) }
    let refused = refusal { () throws(Problem) in try limiter.count("ana") }
    #expect(refused?.status == .tooManyRequests && refused?.code == "too-many-requests")
    #expect(refused?.headers["Retry-After"] == "10")
    #expect(refused?.detail == "Too much. Try again in 10 s.")
    #expect(limiter.allows("ben"))
    time.pass(.seconds(10))
    #expect(limiter.allows("ana"))
    #expect(!limiter.allows("ana"))
    limiter.reset("ana")
    #expect(limiter.allows("ana"))
  }

  @Test func `waits until a date that was set back has caught up`() {
    let limiter = limiter(1, per: .seconds(60))
    #expect(limiter.allows("ana"))
    time.pass(.seconds(-300))
    #expect(!limiter.allows("ana"))
    time.pass(.seconds(300))
    #expect(!limiter.allows("ana"))
    time.pass(.seconds(60))
    #expect(limiter.allows("ana"))
  }

  @Test func `has a clock of its own`() {
    let limiter = RateLimiter(2, per: .seconds(86_400))
    #expect(limiter.allows("ana") && limiter.allows("ana"))
    #expect(!limiter.allows("ana"))
  }

  @Test func `counts a refused event for none of its keys`() {
    let limiter = limiter(2, per: .seconds(60))
    #expect(limiter.allows("ana") && limiter.allows("ana"))
    for _ in 1...100 { #expect(!limiter.allows("ana", "club")) }
    #expect(limiter.allows("club") && limiter.allows("club"))
  }

  @Test func `refuses several events together, and accepts any number with a whole allowance`() {
    let limiter = limiter(100, per: .seconds(60))
    #expect(refusal { () throws(Problem) in try limiter.count("ana", events: 90) } == nil)
    let refused = refusal { () throws(Problem) in try limiter.count("ana", events: 40) }
    #expect(refused?.headers["Retry-After"] == "18")
    time.pass(.seconds(60))
    #expect(refusal { () throws(Problem) in try limiter.count("ana", events: 10_000) } == nil)
    #expect(!limiter.allows("ana"))
  }

  @Test func `names a long wait in minutes`() {
    let limiter = limiter(1, per: .seconds(600))
    #expect(limiter.allows("ana"))
    let refused = refusal { () throws(Problem) in try limiter.count("ana") }
    #expect(refused?.detail == "Too much. Try again in 10 minutes.")
    #expect(refused?.headers["Retry-After"] == "600")
  }

  @Test func `has bounded memory, and keeps the keys that have used the most`() {
    let limiter = limiter(5, per: .seconds(600))
    for _ in 1...5 { #expect(limiter.allows("flood")) }
    for number in 0..<(runsWholeSizes ? 100_000 : 25_000) {
      _ = limiter.allows("\(number)")
      #expect(limiter.keyCount <= RateLimiter.capacity)
    }
    #expect(!limiter.allows("flood"))
  }

  @Test func `forgets keys whose allowance has grown back`() {
    let limiter = limiter(5, per: .seconds(60))
    for number in 0..<60 { _ = limiter.allows("\(number)") }
    time.pass(.seconds(60))
    for number in 100..<110 { _ = limiter.allows("\(number)") }
    #expect(limiter.keyCount < 20)
  }

  @Test func `answers a route's client with the time to wait`() async throws {
    let server = try WebServer.board { _ in }
    let limiter = limiter(1, per: .seconds(60))
    server.post("/feedback") { request in
      try limiter.count(request.remoteNetwork)
      return .empty()
    }
    let client = Client(try await server.start())
    #expect(try await client.send("POST", "/feedback", [:], body: "").status == 204)
    let refused = try await client.send("POST", "/feedback", [:], body: "")
    #expect(refused.status == 429)
    #expect(refused.headers["retry-after"] == "60")
    #expect(refused.code == "too-many-requests")
    await server.stop()
  }
}
