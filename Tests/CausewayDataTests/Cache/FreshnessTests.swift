import CausewayData
import TestSupport
import Testing

@Suite("Freshness", .timeLimit(.minutes(10))) struct FreshnessTests {
  private let shelf = Shelf()
  private let clock = ManualClock()

  @Test func `a missing value is loaded, and a fresh one is returned without a load`() async throws
  {
    let cache = makeCache(of: shelf, clock: clock)
    #expect(cache.cached(1) == nil)
    #expect(try await cache.value(for: 1) == "1.1")
    clock.advance(by: .milliseconds(9_999))
    #expect(try await cache.value(for: 1) == "1.1")
    #expect(cache.cached(1) == "1.1")
    #expect(shelf.requests.all.count == 1)
  }

  @Test func `a stale value is returned at once and refreshed in the background`() async throws {
    let cache = makeCache(of: shelf, clock: clock)
    _ = try await cache.value(for: 1)
    var updates = cache.updates().makeAsyncIterator()
    let gate = shelf.hold()
    clock.advance(by: .seconds(10))
    #expect(try await cache.value(for: 1) == "1.1")
    #expect(try await cache.value(for: 1) == "1.1")
    gate.open()
    let update = await updates.next(isolation: nil)
    #expect(update?.key == 1)
    #expect(update?.value == "1.2")
    #expect(cache.cached(1) == "1.2")
    #expect(shelf.requests.all.count == 2)
  }

  @Test func `an expired value is not returned`() async throws {
    let cache = makeCache(of: shelf, clock: clock)
    _ = try await cache.value(for: 1)
    clock.advance(by: .seconds(29))
    #expect(cache.cached(1) == "1.1")
    clock.advance(by: .seconds(1))
    #expect(cache.cached(1) == nil)
    #expect(try await cache.value(for: 1) == "1.2")
  }

  @Test func `an unchanged value becomes fresh again without an update`() async throws {
    let cache = makeCache(of: shelf, clock: clock)
    shelf.answer(1, .value("one", validator: "etag"))
    _ = try await cache.value(for: 1)
    shelf.answer(1, .notModified())
    clock.advance(by: .seconds(15))
    #expect(await cache.refreshStale() == 1)
    clock.advance(by: .seconds(9))
    #expect(try await cache.value(for: 1) == "one")
    #expect(
      shelf.requests.all == [.init(key: 1, validator: nil), .init(key: 1, validator: "etag")])

    // The next change is the first that an observer receives.
    var updates = cache.updates().makeAsyncIterator()
    try await cache.refresh(1)
    shelf.answer(1, .value("one", validator: "other"))
    try await cache.refresh(1)
    shelf.answer(1, .value("uno"))
    try await cache.refresh(1)
    #expect(await updates.next(isolation: nil)?.value == "uno")
  }

  @Test func `an expired value is still used to revalidate`() async throws {
    let cache = makeCache(of: shelf, clock: clock)
    shelf.answer(1, .value("one", validator: "etag"))
    _ = try await cache.value(for: 1)
    clock.advance(by: .seconds(100))
    shelf.answer(1, .notModified())
    #expect(try await cache.value(for: 1) == "one")
    #expect(shelf.requests.all.last?.validator == "etag")
  }

  @Test func `a not-modified response without a cached value is an error`() async throws {
    let cache = makeCache(of: shelf, clock: clock)
    shelf.answer(1, .notModified())
    await #expect {
      try await cache.value(for: 1)
    } throws: { error in
      if case ResourceError.notModifiedWithoutValidator = error { true } else { false }
    }
  }

  @Test func `a sweep removes expired values and repeats`() async throws {
    var policy = ResourcePolicy.plain
    policy.sweepEvery = .seconds(60)
    let cache = makeCache(of: shelf, policy, clock: clock)
    for round in 0..<3 {
      for key in 0..<1_000 { _ = try await cache.value(for: key) }
      #expect(cache.memoryCount == 1_000, "round \(round)")
      await clock.sleepers(1)
      clock.advance(by: .seconds(60))
      await until { cache.memoryCount == 0 }
    }
  }

  private static var serverPolicy: ResourcePolicy {
    var policy = ResourcePolicy.plain
    policy.serverFreshness = .seconds(2) ... .seconds(100)
    return policy
  }

  @Test(arguments: [(50, 50), (0, 2), (1_000, 100), (nil, 10)] as [(Int?, Int)])
  func `the server says how long a value is fresh, within the limits of the policy`(
    server: Int?, seconds: Int
  ) async throws {
    let cache = makeCache(of: shelf, Self.serverPolicy, clock: clock)
    shelf.answer(1, .value("one", validator: "etag", freshFor: server.map { .seconds($0) }))
    _ = try await cache.value(for: 1)
    #expect(cache.status(of: 1).isFresh)
    clock.advance(by: .seconds(seconds) - .milliseconds(1))
    #expect(cache.status(of: 1).isFresh)
    #expect(await cache.refreshStale() == 0)
    clock.advance(by: .milliseconds(1))
    #expect(cache.status(of: 1).isStale)
    clock.advance(by: .seconds(20) - .milliseconds(1))
    #expect(cache.cached(1) == "one")
    clock.advance(by: .milliseconds(1))
    #expect(cache.cached(1) == nil)
    // A confirmation brings a new time.
    shelf.answer(1, .notModified(freshFor: .seconds(3)))
    #expect(try await cache.value(for: 1) == "one")
    clock.advance(by: .milliseconds(2_999))
    #expect(cache.status(of: 1).isFresh)
    clock.advance(by: .milliseconds(1))
    #expect(cache.status(of: 1).isStale)
  }

  @Test func `an invalidated value is stale, whatever the server has said`() async throws {
    let cache = makeCache(of: shelf, Self.serverPolicy, clock: clock)
    shelf.answer(1, .value("one", freshFor: .seconds(100)))
    _ = try await cache.value(for: 1)
    cache.invalidate(1)
    #expect(cache.status(of: 1).isStale)
    clock.advance(by: .milliseconds(19_999))
    #expect(cache.cached(1) == "one")
    clock.advance(by: .milliseconds(1))
    #expect(cache.cached(1) == nil)
  }

  @Test func `a policy can ignore how long the server calls a value fresh`() async throws {
    let cache = makeCache(of: shelf, clock: clock)
    shelf.answer(1, .value("one", freshFor: .zero))
    _ = try await cache.value(for: 1)
    clock.advance(by: .milliseconds(9_999))
    #expect(cache.status(of: 1).isFresh)
  }
}
