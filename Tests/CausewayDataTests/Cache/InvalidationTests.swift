import CausewayDataTesting
import TestSupport
import Testing

@testable import CausewayData

@Suite("Invalidation", .timeLimit(.minutes(10))) struct InvalidationTests {
  private let shelf = Shelf()
  private let clock = ManualClock()

  @Test func `an invalidated value is returned once more and then replaced`() async throws {
    let cache = makeCache(of: shelf, clock: clock)
    for key in [1, 2] { _ = try await cache.value(for: key) }
    cache.invalidate(1)
    #expect(cache.cached(1) == "1.1")
    #expect(cache.status(of: 1).isStale && !cache.status(of: 2).isStale)
    #expect(shelf.requests.all.count == 2)
    #expect(try await cache.value(for: 1) == "1.1")
    await cache.quiet()
    #expect(try await cache.value(for: 1) == "1.3")
    #expect(try await cache.value(for: 2) == "2.2")
    #expect(!cache.status(of: 1).isStale)
    #expect(shelf.requests.all.count == 3)
  }

  @Test func `a load that began before the invalidation is started again`() async throws {
    let cache = makeCache(of: shelf, clock: clock)
    let gate = shelf.hold()
    let load = Task { try await cache.value(for: 1) }
    await shelf.requests.wait(for: 1)
    cache.invalidate { $0 < 5 }
    await shelf.requests.wait(for: 2)
    gate.open()
    #expect(try await load.value == "1.2")
    await cache.quiet()
    #expect(cache.status(of: 1).freshness == .fresh)
  }

  @Test func `an invalidated value on disk is stale when it is read`() async throws {
    let directory = TemporaryDirectory()
    let store = DiskStore(directory: directory.path, bytes: 1_000_000)
    var policy = ResourcePolicy.plain
    policy.memoryCount = 1
    let cache = makeCache(
      of: shelf, policy, clock: clock, disk: .json(store) { "\($0)" },
      wallClock: WallClock { 1_000_000 })
    for key in [1, 2, 3] { _ = try await cache.value(for: key) }
    await cache.quiet()
    clock.advance(by: .seconds(1))
    cache.invalidate { $0 == 1 }
    #expect(try await cache.value(for: 1) == "1.1")
    await cache.quiet()
    #expect(shelf.requests.all.map(\.key) == [1, 2, 3, 1])
    #expect(try await cache.value(for: 2) == "2.2")
    await cache.quiet()
    #expect(shelf.requests.all.count == 4)
    // The newer value of the disk is fresh. Its age is measured by the time of day, which stands
    // still here.
    clock.advance(by: .seconds(1))
    #expect(try await cache.value(for: 1) == "1.4")
    await cache.quiet()
    #expect(shelf.requests.all.count == 4)
  }

  @Test func `beyond the limit of remembered invalidations, older values count as invalidated`() {
    var invalidations = ResourceInvalidations<Int>()
    for number in 1...200 {
      invalidations.add({ $0 == number }, at: .seconds(number))
    }
    #expect(invalidations.isInvalidated(1, loadedAt: .seconds(1)))
    #expect(invalidations.isInvalidated(999, loadedAt: .seconds(1)))
    #expect(invalidations.isInvalidated(200, loadedAt: .seconds(200)))
    #expect(!invalidations.isInvalidated(200, loadedAt: .seconds(201)))
    #expect(!invalidations.isInvalidated(999, loadedAt: .seconds(199)))
  }

  @Test func `a tag makes the values of a cache stale while the connection exists`() async throws {
    let cache = makeCache(of: shelf, clock: clock)
    let freshness = DataFreshness()
    for key in [1, 2] { _ = try await cache.value(for: key) }
    var registration: Registration? = freshness.join(cache) { ["numbers", "number \($0)"] }
    withExtendedLifetime(registration) {
      freshness.invalidate(["number 1", "others"])
      #expect(cache.status(of: 1).isStale && !cache.status(of: 2).isStale)
      freshness.invalidate(["numbers"])
      #expect(cache.status(of: 2).isStale)
    }
    #expect(await cache.refreshStale() == 2)
    registration = nil
    freshness.invalidate(["numbers"])
    #expect(!cache.status(of: 1).isStale)
  }

  @Test func `stale values are refreshed when a sequence yields`() async throws {
    let cache = makeCache(of: shelf, clock: clock)
    for key in [1, 2, 3] { _ = try await cache.value(for: key) }
    let (signals, continuation) = AsyncStream.makeStream(of: String.self)
    let refreshing = Task { await cache.refreshStale(on: signals) { [1, 2] } }
    continuation.yield("foreground")
    continuation.yield("network")
    await until { cache.isQuiet }
    #expect(shelf.requests.all.count == 3)
    clock.advance(by: .seconds(10))
    continuation.yield("foreground")
    await shelf.ended.wait(for: 5)
    continuation.finish()
    await refreshing.value
    #expect(cache.cached(1) != "1.1" && cache.cached(2) != "2.2")
    #expect(cache.cached(3) == "3.3")
    #expect(shelf.requests.all.count == 5)
  }
}
