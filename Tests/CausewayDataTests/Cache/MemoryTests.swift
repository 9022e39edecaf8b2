import CausewayData
import Synchronization
import TestSupport
import Testing

@testable import CausewayStores

@Suite("Memory", .timeLimit(.minutes(10))) struct MemoryTests {
  private let shelf = Shelf()

  @Test func `the least recently used value is evicted first`() async throws {
    var policy = ResourcePolicy.plain
    policy.memoryCount = 3
    let cache = makeCache(of: shelf, policy)
    for key in 0..<3 { _ = try await cache.value(for: key) }
    #expect(cache.cached(0) != nil)
    _ = try await cache.value(for: 3)
    #expect(cache.cached(1) == nil)
    for key in [0, 2, 3] { #expect(cache.cached(key) != nil) }
  }

  @Test func `memory stays within its byte limit, including the cache's own overhead`() async throws
  {
    var policy = ResourcePolicy.plain
    policy.memoryBytes = 10_000
    let cache = makeCache(of: shelf, policy)
    for key in 0..<1_000 {
      shelf.answer(key, .value(String(repeating: "x", count: key)))
      _ = try await cache.value(for: key)
      #expect(cache.memoryBytes <= 10_000)
      #expect(cache.cached(key) != nil)
    }
  }

  @Test func `a value larger than the limit evicts no other value`() async throws {
    var policy = ResourcePolicy.plain
    policy.memoryBytes = 10_000
    let cache = makeCache(of: shelf, policy)
    _ = try await cache.value(for: 1)
    shelf.answer(2, .value(String(repeating: "x", count: 10_000)))
    #expect(try await cache.value(for: 2).utf8.count == 10_000)
    #expect(cache.cached(1) == "1.1")
    #expect(cache.cached(2) == nil)
    // The older value of a key is not kept in place of a value that does not fit.
    shelf.answer(1, .value(String(repeating: "x", count: 10_000)))
    try await cache.refresh(1)
    #expect(cache.cached(1) == nil)
  }

  @Test func `a memory warning evicts the least recently used values`() async throws {
    let cache = makeCache(of: shelf)
    for key in 0..<10 {
      shelf.answer(key, .value("\(key)"))
      _ = try await cache.value(for: key)
    }
    cache.trim(toBytes: cache.memoryBytes / 2)
    #expect((0..<10).filter { cache.cached($0) != nil } == [5, 6, 7, 8, 9])
    cache.trim()
    #expect(cache.memoryCount == 0)
  }

  /// Calls its cache when it is deallocated.
  private final class Clinging: Sendable {
    let cache: Mutex<ResourceCache<Int, Clinging>?>
    let log: Log<Int>

    init(_ cache: ResourceCache<Int, Clinging>?, _ log: Log<Int>) {
      self.cache = Mutex(cache)
      self.log = log
    }

    deinit {
      let cache = cache.withLock { $0.take() }
      _ = cache?.cached(0)
      log.append(cache?.memoryCount ?? -1)
    }
  }

  @Test func `a value may call the cache while the value is evicted`() async throws {
    var policy = ResourcePolicy.plain
    policy.memoryCount = 2
    let log = Log<Int>()
    let cache = ResourceCache<Int, Clinging>(policy: policy) { _ in Clinging(nil, log) }
    for key in 0..<5 {
      let value = try await cache.value(for: key)
      value.cache.withLock { $0 = cache }
    }
    try await cache.refresh(4)
    try await cache.remove(4)
    cache.trim()
    try await cache.removeAll()
    await log.wait(for: 6)
  }

  /// Calls a closure when it is deallocated.
  private final class Parting: Error, Sendable {
    let part: @Sendable () -> Void

    init(_ part: @escaping @Sendable () -> Void) { self.part = part }

    deinit { part() }
  }

  @Test func `an error may call the cache while the error is removed`() async throws {
    var policy = ResourcePolicy.plain
    policy.failureCoolDown = .seconds(30)
    policy.failureCount = 2
    let (log, shelf, clock) = (Log<Int>(), Shelf(), ManualClock())
    let cache = makeCache(of: shelf, policy, clock: clock)
    for key in 0..<5 {
      shelf.fail(key, Parting { [weak cache] in log.append(cache?.memoryCount ?? -1) })
      await #expect(throws: Parting.self) { try await cache.value(for: key) }
      shelf.recover(key)
    }
    await log.wait(for: 3)
    try await cache.refresh(3)
    await log.wait(for: 4)
    try await cache.remove(4)
    await log.wait(for: 5)
    #expect(log.all == [0, 0, 0, 1, 1])
  }

  @Test func `a condition may call the cache while the condition is forgotten`() async throws {
    let log = Log<Int>()
    let cache = makeCache(
      of: Shelf(), disk: .json(DiskStore(directory: "/nonexistent", bytes: 1)) { "\($0)" })
    for _ in 0..<65 {
      let parting = Parting { [weak cache] in log.append(cache?.memoryCount ?? -1) }
      cache.invalidate { _ in withExtendedLifetime(parting) { false } }
    }
    #expect(log.all.count == 32)
  }
}
