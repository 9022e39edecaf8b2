import CausewayData
import Synchronization
import TestSupport
import Testing

@testable import CausewayStores

@Suite("Updates", .timeLimit(.minutes(10))) struct UpdateTests {
  private let shelf = Shelf()

  @Test func `an observer receives a change made right after it subscribed`() async throws {
    let cache = makeCache(of: shelf)
    _ = try await cache.value(for: 1)
    let updates = cache.updates()
    try await cache.refresh(1)
    var iterator = updates.makeAsyncIterator()
    #expect(await iterator.next(isolation: nil)?.value == "1.2")
  }

  @Test func `a slow observer gets the latest value of each key`() async throws {
    let cache = makeCache(of: shelf)
    let updates = cache.updates()
    for _ in 0..<100 {
      try await cache.refresh(1)
      try await cache.refresh(2)
    }
    var iterator = updates.makeAsyncIterator()
    let seen = [await iterator.next(isolation: nil), await iterator.next(isolation: nil)]
    #expect(seen.map { $0?.value } == ["1.199", "2.200"])
  }

  @Test func `updates waiting for an observer are limited, and the oldest are dropped first`()
    async throws
  {
    var policy = ResourcePolicy.plain
    policy.memoryCount = 3
    let cache = makeCache(of: shelf, policy)
    let updates = cache.updates()
    for key in 0..<10 {
      _ = try await cache.value(for: key)
      try await cache.refresh(key)
    }
    var iterator = updates.makeAsyncIterator()
    var keys: [Int?] = []
    for _ in 0..<3 { keys.append(await iterator.next(isolation: nil)?.key) }
    #expect(keys == [7, 8, 9])
  }

  @Test func `a first value is not an update`() async throws {
    let cache = makeCache(of: shelf)
    let updates = cache.updates()
    _ = try await cache.value(for: 1)
    _ = try await cache.value(for: 2)
    try await cache.refresh(2)
    var iterator = updates.makeAsyncIterator()
    #expect(await iterator.next(isolation: nil)?.key == 2)
  }

  @Test func `a cancelled observer ends and is removed from the cache`() async throws {
    let cache = makeCache(of: shelf)
    let updates = cache.updates()
    let begun = Gate()
    let observer = Task {
      begun.open()
      var count = 0
      for await _ in updates { count += 1 }
      return count
    }
    await begun.wait()
    observer.cancel()
    #expect(await observer.value == 0)
  }

  @Test func `a cache without observers buffers no updates`() async throws {
    let cache = makeCache(of: shelf)
    for _ in 0..<100 {
      var iterator = cache.updates().makeAsyncIterator()
      try await cache.refresh(1)
      _ = iterator
      iterator = cache.updates().makeAsyncIterator()
    }
    #expect(cache.state.withLock { $0.mailboxes.isEmpty })
  }
}
