import CausewayData
import TestSupport
import Testing

@testable import CausewayStores

@Suite("Failures", .timeLimit(.minutes(10))) struct FailureTests {
  private struct Passing: Error, Equatable {}

  private let shelf = Shelf()
  private let clock = ManualClock()

  private func remaining(_ error: any Error) -> Duration? {
    if case ResourceError.coolingDown(let remaining, _) = error { remaining } else { nil }
  }

  @Test func `after a failure only the failed key pauses its loads`() async throws {
    var policy = ResourcePolicy.plain
    policy.failureCoolDown = .seconds(30)
    let cache = makeCache(of: shelf, policy, clock: clock)
    shelf.fail(1)
    await #expect(throws: Shelf.Empty()) { try await cache.value(for: 1) }
    shelf.recover(1)
    clock.advance(by: .seconds(10))
    await #expect {
      try await cache.value(for: 1)
    } throws: { remaining($0) == .seconds(20) }
    #expect(shelf.requests.all.count == 1)
    #expect(try await cache.value(for: 2) == "2.2")
    clock.advance(by: .seconds(20))
    #expect(try await cache.value(for: 1) == "1.3")
  }

  @Test(arguments: [true, false])
  func `a removal ends the pause after a failure`(ofAll: Bool) async throws {
    var policy = ResourcePolicy.plain
    policy.failureCoolDown = .seconds(30)
    let cache = makeCache(of: shelf, policy, clock: clock)
    shelf.fail(1)
    await #expect(throws: Shelf.Empty()) { try await cache.value(for: 1) }
    shelf.recover(1)
    if ofAll { try await cache.removeAll() } else { try await cache.remove(1) }
    #expect(try await cache.value(for: 1) == "1.2")
  }

  @Test func `a stale value whose refresh failed is returned without a new request each time`()
    async throws
  {
    var policy = ResourcePolicy.plain
    policy.failureCoolDown = .seconds(5)
    let cache = makeCache(of: shelf, policy, clock: clock)
    _ = try await cache.value(for: 1)
    shelf.fail(1)
    clock.advance(by: .seconds(10))
    for _ in 0..<10 {
      #expect(try await cache.value(for: 1) == "1.1")
      await cache.quiet()
    }
    #expect(shelf.requests.all.count == 2)
    clock.advance(by: .seconds(5))
    #expect(try await cache.value(for: 1) == "1.1")
    await cache.quiet()
    #expect(shelf.requests.all.count == 3)
  }

  @Test func `an explicit refresh after a failure is not delayed`() async throws {
    var policy = ResourcePolicy.plain
    policy.failureCoolDown = .seconds(30)
    let cache = makeCache(of: shelf, policy, clock: clock)
    shelf.fail(1)
    await #expect(throws: Shelf.Empty()) { try await cache.value(for: 1) }
    shelf.recover(1)
    #expect(try await cache.refresh(1) == "1.2")
    #expect(try await cache.value(for: 1) == "1.2")
  }

  @Test func `the number of remembered failures is limited`() async throws {
    var policy = ResourcePolicy.plain
    policy.failureCoolDown = .seconds(30)
    policy.failureCount = 3
    let cache = makeCache(of: shelf, policy, clock: clock)
    for key in 0..<10 {
      shelf.fail(key)
      await #expect(throws: Shelf.Empty()) { try await cache.value(for: key) }
    }
    for key in 0..<7 { await #expect(throws: Shelf.Empty()) { try await cache.value(for: key) } }
    #expect(shelf.requests.all.count == 17)
  }

  @Test func `a transient failure is retried with growing delays`() async throws {
    var policy = ResourcePolicy.plain
    policy.retries = 3
    policy.retryPause = .seconds(1)
    policy.longestRetryPause = .seconds(3)
    let cache = makeCache(of: shelf, policy, clock: clock)
    shelf.fail(1, Passing())
    let load = Task { try await cache.value(for: 1) }
    for repetition in 1...3 {
      await clock.sleepers(1)
      #expect(shelf.requests.all.count == repetition)
      clock.advance(by: .seconds(3))
    }
    await #expect(throws: Passing()) { try await load.value }
    #expect(shelf.requests.all.count == 4)
  }

  @Test func `a permanent failure is not retried`() async throws {
    var policy = ResourcePolicy.plain
    policy.retries = 3
    let cache = makeCache(of: shelf, policy, clock: clock)
    shelf.fail(1)
    await #expect(throws: Shelf.Empty()) { try await cache.value(for: 1) }
    #expect(shelf.requests.all.count == 1)
  }

  @Test(
    arguments: [
      // The network service has already repeated the request.
      (NetworkError(.status, message: "", status: 503, attempts: 3), 1),
      (NetworkError(.status, message: "", status: 404, attempts: 1), 1),
      (NetworkError(.timedOut, message: "", attempts: 3), 1),
      (RemoteFailure(.rejected), 1), (RemoteFailure(.garbled), 1), (RemoteFailure(.busy), 3),
      (Passing(), 3),
    ] as [(any Error, Int)])
  func `a cache retries only failures that a retry may fix`(_ error: any Error, _ count: Int)
    async throws
  {
    let loads = Log<Int>()
    let cache = ResourceCache<Int, Int>(policy: ResourcePolicy(retryPause: .zero)) { key in
      loads.append(key)
      throw error
    }
    await #expect(throws: (any Error).self) { try await cache.value(for: 1) }
    #expect(loads.all.count == count)
  }

  @Test func `cancelling a load during its retry delay ends it`() async throws {
    var policy = ResourcePolicy.plain
    policy.retries = 3
    let cache = makeCache(of: shelf, policy, clock: clock)
    shelf.fail(1, Passing())
    let load = Task { try await cache.value(for: 1) }
    await clock.sleepers(1)
    load.cancel()
    await #expect(throws: CancellationError.self) { try await load.value }
    await cache.quiet()
    #expect(shelf.requests.all.count == 1)
  }

  @Test func `retry delays double up to the maximum, minus random jitter`() {
    var policy = ResourcePolicy.plain
    policy.retryPause = .seconds(1)
    policy.longestRetryPause = .seconds(5)
    let pauses = [1, 2, 3, 4, 1_000].map { policy.backoff.delay(afterAttempts: $0, random: 1) }
    #expect(pauses == [.seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5)])
    #expect(policy.backoff.delay(afterAttempts: 2, random: 0) == .seconds(1))
  }
}
