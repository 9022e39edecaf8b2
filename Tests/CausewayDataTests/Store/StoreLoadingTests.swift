import CausewayData
import TestSupport
import Testing

@MainActor
@Suite("Store: loading", .timeLimit(.minutes(10))) struct StoreLoadingTests {
  private let drawer = Drawer([1: "one", 2: "two"])
  private let clock = ManualClock()
  private let failures = Log<StoreFailure>()

  private func makeStore(
    isExpired: (@MainActor (Int, String) -> Bool)? = nil
  ) -> ObservableStore<Int, String> {
    ObservableStore(
      backing: drawer, policy: .plain, clock: clock, isExpired: isExpired,
      report: { [failures] in failures.append($0) })
  }

  @Test func `saved values are loaded`() async throws {
    let store = makeStore()
    #expect(!store.isLoaded)
    #expect(store[1] == nil)
    try await store.waitUntilLoaded()
    #expect(store.isLoaded)
    #expect(store[1] == "one")
    #expect(store.keys.sorted() == [1, 2])
    #expect(store.unsavedCount == 0)
  }

  @Test func `a load does not replace newer unsaved changes`() async throws {
    let gate = drawer.holdLoad()
    let store = makeStore()
    await drawer.loads.wait(for: 1)
    store[1] = "mine"
    gate.open()
    try await store.waitUntilLoaded()
    #expect(store[1] == "mine")
    #expect(store[2] == "two")
  }

  @Test func `a load does not replace changes saved during the load`() async throws {
    let gate = drawer.holdLoad()
    let store = makeStore()
    await drawer.loads.wait(for: 1)
    store[1] = "mine"
    try await store.flush()
    #expect(store.unsavedCount == 0)
    gate.open()
    try await store.waitUntilLoaded()
    #expect(store[1] == "mine")
    #expect(drawer.values[1] == "mine")
  }

  @Test func `a load does not replace changes whose save had started before it`() async throws {
    let store = makeStore()
    try await store.waitUntilLoaded()
    let saveGate = drawer.holdSave()
    store[1] = "mine"
    let flush = Task { try await store.flush() }
    await drawer.saves.wait(for: 1)
    let loadGate = drawer.holdLoad()
    let reload = Task { try await store.reload() }
    await drawer.loads.wait(for: 2)
    saveGate.open()
    try await flush.value
    loadGate.open()
    try await reload.value
    #expect(store[1] == "mine")
  }

  @Test func `a load does not restore values removed during the load`() async throws {
    let gate = drawer.holdLoad()
    let store = makeStore()
    await drawer.loads.wait(for: 1)
    store[1] = nil
    gate.open()
    try await store.waitUntilLoaded()
    #expect(store[1] == nil)
    try await store.close()
    #expect(drawer.values == [2: "two"])
  }

  @Test func `removing everything also removes values that are not loaded yet`() async throws {
    let gate = drawer.holdLoad()
    let store = makeStore()
    await drawer.loads.wait(for: 1)
    store[3] = "three"
    store.removeAll()
    store[4] = "four"
    gate.open()
    try await store.waitUntilLoaded()
    #expect(store.keys == [4])
    try await store.close()
    #expect(drawer.values == [4: "four"])
  }

  @Test func `a failed load is reported and retried`() async throws {
    drawer.failLoads(2)
    let store = makeStore()
    for number in 1...2 {
      await failures.wait(for: number)
      await clock.sleepers(1)
      clock.advance(by: .seconds(10))
    }
    try await store.waitUntilLoaded()
    #expect(store[1] == "one")
    #expect(drawer.loads.all.count == 3)
  }

  @Test func `waiting for a load that fails again and again ends with the failure`() async throws {
    drawer.failLoads(1)
    let store = makeStore()
    await failures.wait(for: 1)
    let wait = Task { try await store.waitUntilLoaded(atMost: .milliseconds(1)) }
    await clock.sleepers(2)
    clock.advance(by: .milliseconds(1))
    let error = await #expect(throws: StoreFailure.self) { try await wait.value }
    #expect(error?.description.contains("Stuck") == true)
    // The store continues to load.
    clock.advance(by: .seconds(10))
    try await store.waitUntilLoaded()
    #expect(store[1] == "one")
  }

  @Test func `waiting for a load that does not end is limited too`() async throws {
    let gate = drawer.holdLoad()
    let store = makeStore()
    let wait = Task { try await store.waitUntilLoaded() }
    await clock.sleepers(1)
    clock.advance(by: .seconds(10))
    let error = await #expect(throws: StoreFailure.self) { try await wait.value }
    #expect(error?.description.contains("still running") == true)
    gate.open()
    try await store.waitUntilLoaded()
  }

  @Test func `a cancellation ends the wait for a load`() async throws {
    let gate = drawer.holdLoad()
    let store = makeStore()
    for isReload in [false, true] {
      let wait = Task {
        if isReload { try await store.reload() } else { try await store.waitUntilLoaded() }
      }
      await drawer.loads.wait(for: 1)
      wait.cancel()
      await #expect(throws: CancellationError.self) { try await wait.value }
    }
    gate.open()
    try await store.waitUntilLoaded()
    #expect(store[1] == "one")
  }

  @Test func `loading again shows changes of other processes and keeps unsaved changes`()
    async throws
  {
    let store = makeStore()
    try await store.waitUntilLoaded()
    store[1] = "mine"
    drawer.values = [1: "theirs", 3: "three"]
    try await store.reload()
    #expect(store[1] == "mine")
    #expect(store[2] == nil)
    #expect(store[3] == "three")
    #expect(store.unsavedCount == 1)
  }

  @Test func `expired values are removed on loading and periodically afterwards`() async throws {
    let old = Log<String>()
    old.append("one")
    let store = makeStore(isExpired: { _, value in old.all.contains(value) })
    try await store.waitUntilLoaded()
    #expect(store.keys == [2])
    old.append("two")
    try await store.flush()
    await clock.sleepers(1)
    clock.advance(by: .seconds(30))
    await until { store[2] == nil }
    try await store.close()
    #expect(drawer.values.isEmpty)
  }

  @Test func `a store released during a load is deallocated`() async throws {
    drawer.failLoads(1)
    var store: ObservableStore<Int, String>? = makeStore()
    await clock.sleepers(1)
    weak let gone = store
    store = nil
    #expect(gone == nil)
  }
}
