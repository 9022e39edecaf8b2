import CausewayData
import TestSupport
import Testing

@testable import CausewayStores

/// Rule 3 for caches: no value of a session remains after its end.
@Suite("Cache: sessions", .timeLimit(.minutes(10))) struct CacheSessionTests {
  private let shelf = Shelf()

  @Test func `between two sessions nothing is loaded or stored`() async throws {
    let session = SessionService(account: "ada")
    let cache = makeCache(of: shelf)
    session.add(cache.participant)
    _ = try await cache.value(for: 1)
    try await session.logout()
    #expect(cache.cached(1) == nil)
    for ask in [cache.value(for:), cache.refresh] as [@Sendable (Int) async throws -> String] {
      await #expect {
        _ = try await ask(1)
      } throws: { error in
        if case ResourceError.sessionEnded = error { true } else { false }
      }
    }
    #expect(await cache.prefetch([1, 2]) == 0)
    #expect(shelf.requests.all.count == 1)
    #expect(cache.isQuiet)
    try await session.signIn("bob")
    #expect(cache.cached(1) == nil)
    #expect(try await cache.value(for: 1) == "1.2")
  }

  @Test func `a load that outlives its session stores nothing in the next session`() async throws {
    let session = SessionService(account: "ada")
    let cache = makeCache(of: shelf, ignoresCancellation: true)
    session.add(cache.participant)
    let gate = shelf.hold()
    let load = Task { try await cache.value(for: 1) }
    await shelf.requests.wait(for: 1)
    try await session.logout()
    await #expect {
      _ = try await load.value
    } throws: { error in
      if case ResourceError.sessionEnded = error { true } else { false }
    }
    try await session.signIn("bob")
    gate.open()
    await cache.quiet()
    #expect(cache.cached(1) == nil)
  }

  @Test func `updates that a slow consumer has not read are dropped with the session`() async throws
  {
    let session = SessionService(account: "ada")
    let cache = makeCache(of: shelf)
    session.add(cache.participant)
    let updates = cache.updates()
    _ = try await cache.value(for: 1)
    try await cache.refresh(1)
    try await session.logout()
    try await session.signIn("bob")
    _ = try await cache.value(for: 2)
    try await cache.refresh(2)
    var iterator = updates.makeAsyncIterator()
    #expect(await iterator.next(isolation: nil)?.key == 2)
  }
}
