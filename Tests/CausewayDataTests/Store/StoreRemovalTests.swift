import CausewayData
import Observation
import TestSupport
import Testing

@testable import CausewayStores

/// Removing everything before the stored values are loaded.
@MainActor
@Suite("Store: removing everything", .timeLimit(.minutes(10))) struct StoreRemovalTests {
  private let drawer = Drawer([1: "one", 2: "two"])
  private let clock = ManualClock()
  private let failures = Log<StoreFailure>()

  private func makeStore() -> ObservableStore<Int, String> {
    ObservableStore(
      backing: drawer, policy: .plain, clock: clock, report: { [failures] in failures.append($0) })
  }

  @Test func `closing before the load ends removes the values that were not loaded`() async throws {
    let gate = drawer.holdLoad()
    let store = makeStore()
    await drawer.loads.wait(for: 1)
    store.removeAll()
    store[2] = "new"
    try await store.close()
    #expect(drawer.values == [2: "new"])
    gate.open()
  }

  @Test func `a flush before the load ends removes the values that were not loaded`() async throws {
    let gate = drawer.holdLoad()
    let store = makeStore()
    await drawer.loads.wait(for: 1)
    store.removeAll()
    try await store.flush()
    #expect(drawer.values == [:])
    store[1] = "new"
    try await store.flush()
    gate.open()
    try await store.waitUntilLoaded()
    #expect(store.keys == [1])
    try await store.close()
    #expect(drawer.values == [1: "new"])
  }

  @Test func `releasing a store removes the values that were not loaded`() async throws {
    let gate = drawer.holdLoad()
    var store: ObservableStore<Int, String>? = makeStore()
    await drawer.loads.wait(for: 1)
    store?.removeAll()
    store?[2] = "new"
    store = nil
    await drawer.saved.wait(for: 1)
    #expect(drawer.values == [2: "new"])
    gate.open()
  }

  @Test func `a load that ends while the store closes restores no value`() async throws {
    let (loads, saves) = (drawer.holdLoad(), drawer.holdSave())
    let store = makeStore()
    await drawer.loads.wait(for: 1)
    store.removeAll()
    let closing = Task { try await store.close() }
    await drawer.saves.wait(for: 1)
    loads.open()
    try await store.waitUntilLoaded()
    #expect(store.keys.isEmpty)
    saves.open()
    try await closing.value
    #expect(drawer.values == [:])
  }

  @Test func `closing succeeds when an earlier load ends before its own load`() async throws {
    let (loads, second) = (drawer.holdLoad(), drawer.holdLoad())
    let store = makeStore()
    await drawer.loads.wait(for: 1)
    store.removeAll()
    let closing = Task { try await store.close() }
    await drawer.loads.wait(for: 2)
    loads.open()
    try await store.waitUntilLoaded()
    second.open()
    try await closing.value
    #expect(drawer.values == [:])
  }

  @Test func `a value set after a removal stays, also when it is loaded again`() async throws {
    let (loads, second) = (drawer.holdLoad(), drawer.holdLoad())
    let store = makeStore()
    await drawer.loads.wait(for: 1)
    store.removeAll()
    store[2] = "new"
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    await drawer.saved.wait(for: 1)
    let reload = Task { try await store.reload() }
    await drawer.loads.wait(for: 2)
    second.open()
    loads.open()
    try await reload.value
    try await store.close()
    #expect(drawer.values == [2: "new"])
  }

  @Test func `a removal that cannot list the keys fails and is retried later`() async throws {
    let gate = drawer.holdLoad()
    let store = makeStore()
    await drawer.loads.wait(for: 1)
    store.removeAll()
    drawer.failLoads(1)
    await #expect(throws: Drawer.Stuck()) { try await store.close() }
    #expect(drawer.values == [1: "one", 2: "two"])
    try await store.close()
    #expect(drawer.values == [:])
    gate.open()
  }

  @Test func `memory for keys that are added and removed stays limited`() async throws {
    drawer.values = [:]
    let store = makeStore()
    try await store.waitUntilLoaded()
    let changes = Log<Int>()
    store[0] = "zero"
    withObservationTracking {
      _ = store[0]
    } onChange: {
      changes.append(0)
    }
    for key in 0..<5_000 {
      store[key] = "\(key)"
      store[key] = nil
      #expect(store.absentCount <= 1_024)
    }
    #expect(changes.all == [0])
    #expect(store.keys.isEmpty)
    try await store.close()
  }
}
