import CausewayData
import TestSupport
import Testing

@Suite("Superseding and removal", .timeLimit(.minutes(10))) struct SupersedingTests {
  private let shelf = Shelf()
  private let clock = ManualClock()

  @Test func `a forced refresh does not join an earlier load`() async throws {
    let cache = makeCache(of: shelf, ignoresCancellation: true)
    let gate = shelf.hold()
    let older = Task { try await cache.value(for: 1) }
    await shelf.requests.wait(for: 1)
    #expect(try await cache.refresh(1) == "1.2")
    // The callers of the older load get the newer response, without waiting for the older one.
    #expect(try await older.value == "1.2")
    gate.open()
    await shelf.ended.wait(for: 2)
    await cache.quiet()
    #expect(cache.cached(1) == "1.2")
  }

  @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func `the last refresh wins in every order of responses`(order: [Int]) async throws {
    let cache = makeCache(of: shelf, ignoresCancellation: true)
    let gates = (0..<3).map { _ in shelf.hold() }
    var refreshes: [Task<String, any Error>] = []
    for number in 1...3 {
      refreshes.append(Task { try await cache.refresh(1) })
      await shelf.requests.wait(for: number)
    }
    for index in order {
      let count = shelf.ended.all.count
      gates[index].open()
      await shelf.ended.wait(for: count + 1)
    }
    for refresh in refreshes { #expect(try await refresh.value == "1.3") }
    await cache.quiet()
    #expect(cache.cached(1) == "1.3")
  }

  @Test func `a superseded load is cancelled`() async throws {
    let cache = makeCache(of: shelf)
    _ = shelf.hold()
    let older = Task { try await cache.value(for: 1) }
    await shelf.requests.wait(for: 1)
    #expect(try await cache.refresh(1) == "1.2")
    await shelf.cancelled.wait(for: 1)
    #expect(try await older.value == "1.2")
  }

  @Test func `a failed refresh keeps the value`() async throws {
    let cache = makeCache(of: shelf)
    _ = try await cache.value(for: 1)
    shelf.fail(1)
    await #expect(throws: Shelf.Empty()) { try await cache.refresh(1) }
    #expect(cache.cached(1) == "1.1")
  }

  @Test func `a running load does not restore a removed key`() async throws {
    let cache = makeCache(of: shelf, ignoresCancellation: true)
    let gate = shelf.hold()
    let load = Task { try await cache.value(for: 1) }
    await shelf.requests.wait(for: 1)
    try await cache.remove(1)
    await #expect {
      try await load.value
    } throws: { error in
      if case ResourceError.removed = error { true } else { false }
    }
    gate.open()
    await shelf.ended.wait(for: 1)
    await cache.quiet()
    #expect(cache.cached(1) == nil)
    #expect(cache.memoryCount == 0)
  }

  @Test func `no value returns after everything was removed`() async throws {
    let cache = makeCache(of: shelf, clock: clock, ignoresCancellation: true)
    for key in 0..<3 { _ = try await cache.value(for: key) }
    clock.advance(by: .seconds(10))
    let gates = (0..<6).map { _ in shelf.hold() }
    // Three background refreshes, and three loads with a waiting caller.
    for key in 0..<3 { _ = try await cache.value(for: key) }
    let waiters = (3..<6).map { key in Task { try await cache.value(for: key) } }
    await shelf.requests.wait(for: 9)
    try await cache.removeAll()
    #expect(cache.memoryCount == 0)
    #expect(cache.memoryBytes == 0)
    for waiter in waiters {
      await #expect(throws: ResourceError.self) { try await waiter.value }
    }
    for gate in gates { gate.open() }
    await shelf.ended.wait(for: 9)
    await cache.quiet()
    for key in 0..<6 { #expect(cache.cached(key) == nil) }
  }

  @Test func `a removed key can be loaded again while its cancelled load still runs`()
    async throws
  {
    let cache = makeCache(of: shelf, ignoresCancellation: true)
    let gate = shelf.hold()
    let older = Task { try await cache.value(for: 1) }
    await shelf.requests.wait(for: 1)
    try await cache.remove(1)
    #expect(try await cache.value(for: 1) == "1.2")
    gate.open()
    _ = await older.result
    await cache.quiet()
    #expect(cache.cached(1) == "1.2")
  }
}
