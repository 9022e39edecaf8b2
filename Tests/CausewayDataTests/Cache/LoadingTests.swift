import CausewayData
import TestSupport
import Testing

@Suite("Loading", .timeLimit(.minutes(10))) struct LoadingTests {
  private let shelf = Shelf()

  @Test func `a thousand requests for a missing value share one load`() async throws {
    let cache = makeCache(of: shelf)
    let gate = shelf.hold()
    let values = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<1_000 { group.addTask { try? await cache.value(for: 7) } }
      await shelf.requests.wait(for: 1)
      gate.open()
      var values: [String?] = []
      for await value in group { values.append(value) }
      return values
    }
    #expect(values == Array(repeating: "7.1", count: 1_000))
    #expect(shelf.requests.all.count == 1)
  }

  @Test func `requests for two keys get their own values`() async throws {
    let cache = makeCache(of: shelf)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<1_000 {
        group.addTask {
          let value = try? await cache.value(for: number % 50)
          #expect(value?.hasPrefix("\(number % 50).") == true)
        }
      }
    }
    #expect(shelf.requests.all.count == 50)
  }

  @Test func `a load is cancelled with its last caller, not with its first`() async throws {
    let cache = makeCache(of: shelf)
    _ = shelf.hold()
    let first = Task { try await cache.value(for: 1) }
    await shelf.requests.wait(for: 1)
    let second = Task { try await cache.value(for: 1) }
    await cache.waiters(2, for: 1)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(shelf.cancelled.all.isEmpty)
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    await shelf.cancelled.wait(for: 1)
    #expect(shelf.cancelled.all == [1])
  }

  @Test func `a request after a cancelled load starts a new load`() async throws {
    let cache = makeCache(of: shelf)
    _ = shelf.hold()
    let first = Task { try await cache.value(for: 1) }
    await shelf.requests.wait(for: 1)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(try await cache.value(for: 1) == "1.2")
  }

  @Test func `many cancellations leave no state behind and block no caller`() async throws {
    let cache = makeCache(of: shelf)
    var random = SeededRandom(seed: 1)
    for round in 0..<50 {
      let gate = shelf.hold()
      let tasks = (0..<40).map { _ in Task { try await cache.value(for: round) } }
      for task in tasks where Bool.random(using: &random) { task.cancel() }
      gate.open()
      for task in tasks { _ = await task.result }
    }
    for key in 1_000..<1_020 { #expect(try await cache.value(for: key).hasPrefix("\(key).")) }
  }

  @Test func `a task cancelled before its request starts no load`() async throws {
    let cache = makeCache(of: shelf)
    let gate = Gate()
    let task = Task {
      await gate.waitUncancellably()
      return try await cache.value(for: 1)
    }
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(shelf.requests.all.isEmpty)
  }

  @Test func `the policy limits the number of concurrent loads`() async throws {
    var policy = ResourcePolicy.plain
    policy.parallelLoads = 3
    let cache = makeCache(of: shelf, policy)
    for keys in [0..<100, 100..<200] {
      let gates = (0..<3).map { _ in shelf.hold() }
      let waiters = keys.map { key in Task { try await cache.value(for: key) } }
      await shelf.requests.wait(for: keys.lowerBound + 3)
      for gate in gates { gate.open() }
      for waiter in waiters { _ = try await waiter.value }
    }
    #expect(shelf.mostRunning == 3)
    let gates = (0..<3).map { _ in shelf.hold() }
    let prefetch = Task { await cache.prefetch(200..<300) }
    await shelf.requests.wait(for: 203)
    for gate in gates { gate.open() }
    #expect(await prefetch.value == 100)
    #expect(shelf.mostRunning == 3)
  }

  @Test func `a cancelled load keeps its slot until it has stopped`() async throws {
    var policy = ResourcePolicy.plain
    policy.parallelLoads = 1
    let cache = makeCache(of: shelf, policy, ignoresCancellation: true)
    let gate = shelf.hold()
    let first = Task { try await cache.value(for: 1) }
    await shelf.requests.wait(for: 1)
    first.cancel()
    _ = await first.result
    let second = Task { try await cache.value(for: 2) }
    gate.open()
    #expect(try await second.value == "2.2")
    #expect(shelf.mostRunning == 1)
    #expect(cache.cached(1) == nil)
  }

  @Test func `a prefetch loads missing values and skips fresh ones`() async throws {
    let cache = makeCache(of: shelf)
    _ = try await cache.value(for: 1)
    shelf.fail(2)
    #expect(await cache.prefetch([1, 2, 3, 4]) == 3)
    #expect(shelf.requests.all.map(\.key).sorted() == [1, 2, 3, 4])
  }

  @Test func `a cancelled prefetch stops, and loads of other callers continue`() async throws {
    var policy = ResourcePolicy.plain
    policy.parallelLoads = 2
    let cache = makeCache(of: shelf, policy)
    let gates = [shelf.hold(), shelf.hold()]
    let prefetch = Task { await cache.prefetch(0..<50) }
    await shelf.requests.wait(for: 2)
    let key = try #require(shelf.requests.all.first?.key)
    let waiter = Task { try await cache.value(for: key) }
    await cache.waiters(2, for: key)
    prefetch.cancel()
    #expect(await prefetch.value == 0)
    for gate in gates { gate.open() }
    #expect(try await waiter.value.hasPrefix("\(key)."))
    #expect(shelf.requests.all.count == 2)
  }

  @Test func `the cache can be released during a background refresh`() async throws {
    let clock = ManualClock()
    var cache: ResourceCache<Int, String>? = makeCache(of: shelf, clock: clock)
    _ = try await cache?.value(for: 1)
    clock.advance(by: .seconds(10))
    _ = shelf.hold()
    _ = try await cache?.value(for: 1)
    await shelf.requests.wait(for: 2)
    let updates = cache?.updates()
    cache = nil
    await shelf.cancelled.wait(for: 1)
    var iterator = updates?.makeAsyncIterator()
    #expect(await iterator?.next(isolation: nil) == nil)
  }
}
