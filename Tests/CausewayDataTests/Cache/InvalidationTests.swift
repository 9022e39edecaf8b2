import CausewayData
import CausewayDataTesting
import Synchronization
import TestSupport
import Testing

@testable import CausewayStores

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

  /// The ways to invalidate the value of a key.
  enum Way: CaseIterable {
    case key, condition, tags
  }

  @Test(arguments: Way.allCases)
  func `an invalidation does not make a value usable for longer`(_ way: Way) async throws {
    let cache = makeCache(of: shelf, clock: clock)
    _ = try await cache.value(for: 1)
    shelf.fail(1)
    // The value can be used for one more second.
    clock.advance(by: .seconds(29))
    switch way {
    case .key: cache.invalidate(1)
    case .condition: cache.invalidate { $0 == 1 }
    case .tags: cache.invalidate(["a"], of: cache.takeJoinNumber()) { _ in ["a"] }
    }
    #expect(cache.cached(1) == "1.1")
    clock.advance(by: .seconds(2))
    #expect(cache.cached(1) == nil)
    await #expect(throws: Shelf.Empty()) { try await cache.value(for: 1) }
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
    #expect(cache.status(of: 1).isFresh)
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

  @Test func `a value that is invalidated while it is encoded for the disk is stale there`()
    async throws
  {
    final class Moment: Sendable {
      let milliseconds = Mutex<Int64>(1_000_000)
      let cache = Mutex<ResourceCache<Int, String>?>(nil)
    }
    let directory = TemporaryDirectory()
    let moment = Moment()
    let disk = ResourceDisk<Int, String>(
      DiskStore(directory: directory.path, bytes: 1_000_000), name: { "\($0)" },
      encode: { [clock] value in
        for _ in 0..<2 {
          clock.advance(by: .seconds(1))
          moment.milliseconds.withLock { $0 += 1_000 }
          // The invalidation happens before the second step, so the encoding ends after the
          // invalidation.
          moment.cache.withLock { $0.take() }?.invalidate(1)
        }
        return Array(value.utf8)
      }, decode: { String(decoding: $0, as: UTF8.self) })
    var policy = ResourcePolicy.plain
    policy.memoryCount = 1
    let cache = makeCache(
      of: shelf, policy, clock: clock, disk: disk,
      wallClock: WallClock { moment.milliseconds.withLock { $0 } })
    moment.cache.withLock { $0 = cache }
    for key in [1, 2] {
      _ = try await cache.value(for: key)
      await cache.quiet()
    }
    #expect(try await cache.value(for: 1) == "1.1")
    await cache.quiet()
    #expect(shelf.requests.all.map(\.key) == [1, 2, 1])
  }

  @Test func `an invalidated background refresh continues when one of its callers is cancelled`()
    async throws
  {
    let cache = makeCache(of: shelf, clock: clock)
    _ = try await cache.value(for: 1)
    clock.advance(by: .seconds(10))
    let gates = (0..<2).map { _ in shelf.hold() }
    #expect(try await cache.value(for: 1) == "1.1")
    await shelf.requests.wait(for: 2)
    cache.invalidate(1)
    await shelf.requests.wait(for: 3)
    let caller = Task { await cache.prefetch([1]) }
    await cache.waiters(1, for: 1)
    caller.cancel()
    #expect(await caller.value == 0)
    for gate in gates { gate.open() }
    await cache.quiet()
    #expect(cache.cached(1) == "1.3")
  }

  @Test func `many changes of tags and of single keys leave other values on disk fresh`() {
    var invalidations = ResourceInvalidations<Int>()
    for number in 1...200 {
      invalidations.add(
        ["tag \(number % 3)"], of: 1, tags: { ["tag \($0)"] }, at: .seconds(number))
      invalidations.add(500 + number, at: .seconds(number))
    }
    #expect(!invalidations.isInvalidated(7, loadedAt: .zero))
    #expect(invalidations.isInvalidated(1, loadedAt: .seconds(199)))
    #expect(!invalidations.isInvalidated(1, loadedAt: .seconds(200)))
    #expect(invalidations.isInvalidated(501, loadedAt: .seconds(1)))
    #expect(!invalidations.isInvalidated(501, loadedAt: .seconds(2)))
  }

  @Test func `beyond the limits, tags, keys and connections still invalidate older values`() {
    var invalidations = ResourceInvalidations<Int>()
    for number in 1...5_000 {
      invalidations.add(["tag \(number)"], of: 1, tags: { ["tag \($0)"] }, at: .seconds(number))
    }
    #expect(invalidations.isInvalidated(1, loadedAt: .seconds(1)))
    #expect(!invalidations.isInvalidated(1, loadedAt: .seconds(4_999)))
    var keys = ResourceInvalidations<Int>()
    for number in 1...5_000 { keys.add(number, at: .seconds(number)) }
    #expect(keys.isInvalidated(1, loadedAt: .seconds(1)))
    #expect(!keys.isInvalidated(1, loadedAt: .seconds(4_999)))
    var joins = ResourceInvalidations<Int>()
    for number in 1...100 {
      joins.add(
        ["tag"], of: UInt64(number),
        tags: { [number] in
          $0 == number ? ["tag"] : []
        }, at: .seconds(number))
    }
    #expect(joins.isInvalidated(1, loadedAt: .seconds(1)))
    #expect(joins.isInvalidated(100, loadedAt: .seconds(100)))
    #expect(!joins.isInvalidated(1, loadedAt: .seconds(99)))
  }

  @Test func `many writes with other tags or without tags leave a value on disk fresh`()
    async throws
  {
    let directory = TemporaryDirectory()
    let store = DiskStore(directory: directory.path, bytes: 1_000_000)
    var policy = ResourcePolicy.plain
    policy.memoryCount = 1
    let cache = makeCache(
      of: shelf, policy, clock: clock, disk: .json(store) { "\($0)" },
      wallClock: WallClock { 1_000_000 })
    for key in [1, 2] { _ = try await cache.value(for: key) }
    await cache.quiet()
    clock.advance(by: .seconds(1))
    let freshness = DataFreshness()
    let registration = freshness.join(cache) { ["number \($0)"] }
    for number in 0..<100 { freshness.invalidate(number.isMultiple(of: 2) ? [] : ["others"]) }
    #expect(try await cache.value(for: 1) == "1.1")
    await cache.quiet()
    #expect(shelf.requests.all.count == 2)
    freshness.invalidate(["number 2"])
    #expect(try await cache.value(for: 2) == "2.2")
    await cache.quiet()
    #expect(shelf.requests.all.map(\.key) == [1, 2, 2])
    withExtendedLifetime(registration) {}
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
