import CausewayData
import TestSupport
import Testing

@testable import CausewayStores

@Suite("Store: streams of keys", .timeLimit(.minutes(10))) struct StoreStreamTests {
  private let drawer = Drawer([1: "one"])
  private let clock = ManualClock()

  @MainActor private func makeStore() -> ObservableStore<Int, String> {
    ObservableStore(backing: drawer, policy: .plain, clock: clock)
  }

  @Test func `another actor sets values and gets the values of a key`() async throws {
    let store = await makeStore()
    var values = await store.values(for: 1).makeAsyncIterator()
    #expect(await values.next() == .some("one"))
    await store.set("uno", for: 1)
    #expect(await values.next() == .some("uno"))
    await store.set("two", for: 2)
    await store.set(nil, for: 1)
    #expect(await values.next() == .some(nil))
    try await store.close()
    #expect(drawer.values == [2: "two"])
  }

  @Test func `the first element is the loaded value, and not the absence before the load`()
    async throws
  {
    let gate = drawer.holdLoad()
    let store = await makeStore()
    let present = await store.values(for: 1)
    let absent = await store.values(for: 2)
    gate.open()
    var iterator = present.makeAsyncIterator()
    #expect(await iterator.next() == .some("one"))
    var other = absent.makeAsyncIterator()
    #expect(await other.next() == .some(nil))
  }

  @Test func `a slow reader gets the latest value, and equal values are not repeated`() async throws
  {
    let store = await makeStore()
    try await store.waitUntilLoaded()
    var values = await store.values(for: 1).makeAsyncIterator()
    for number in 0..<10 { await store.set("\(number)", for: 1) }
    #expect(await values.next() == .some("9"))
    await store.set("9", for: 1)
    try await store.reload()
    await store.set("ten", for: 1)
    #expect(await values.next() == .some("ten"))
  }

  @Test func `a stream ends when its store is released`() async throws {
    var store: ObservableStore<Int, String>? = await makeStore()
    try await store?.waitUntilLoaded()
    let values = await store?.values(for: 1)
    try await store?.close()
    store = nil
    var count = 0
    for await _ in try #require(values) { count += 1 }
    #expect(count == 1)
  }
}
