import CausewayData
import TestSupport
import Testing

@MainActor
@Suite("Store: saving", .timeLimit(.minutes(10))) struct StoreSavingTests {
  private let drawer = Drawer()
  private let clock = ManualClock()
  private let failures = Log<StoreFailure>()

  private func makeStore() async throws -> ObservableStore<Int, String> {
    let store = ObservableStore(
      backing: drawer, policy: .plain, clock: clock, report: { [failures] in failures.append($0) })
    try await store.waitUntilLoaded()
    return store
  }

  @Test func `changes made close together are saved together`() async throws {
    drawer.values = [1: "old", 2: "old"]
    let store = try await makeStore()
    store[1] = "one"
    store[2] = nil
    store[3] = "three"
    store[3] = "drei"
    #expect(store.unsavedCount == 3)
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    await drawer.saved.wait(for: 1)
    #expect(drawer.values == [1: "one", 3: "drei"])
    #expect(drawer.saves.all.count == 1)
    #expect(drawer.saves.all[0].removed == [2])
  }

  @Test func `continuous changes are still saved`() async throws {
    let store = try await makeStore()
    for number in 0..<6 {
      store[1] = "\(number)"
      await clock.sleepers(1)
      #expect(drawer.saves.all.isEmpty)
      clock.advance(by: .milliseconds(500))
    }
    await drawer.saved.wait(for: 1)
    #expect(drawer.values == [1: "5"])
  }

  @Test func `each new change delays the save, up to the longest wait`() async throws {
    let store = try await makeStore()
    store[1] = "a"
    await clock.sleepers(1)
    clock.advance(by: .milliseconds(900))
    store[2] = "b"
    clock.advance(by: .milliseconds(100))
    await clock.sleepers(1)
    #expect(drawer.saves.all.isEmpty)
    clock.advance(by: .milliseconds(900))
    await drawer.saved.wait(for: 1)
    #expect(drawer.values == [1: "a", 2: "b"])
  }

  @Test func `an equal value is not saved`() async throws {
    drawer.values = [1: "one"]
    let store = try await makeStore()
    store[1] = "one"
    store[2] = nil
    #expect(store.unsavedCount == 0)
  }

  @Test func `a trailing closure receives the failures`() async throws {
    let failures = failures
    let store = ObservableStore(backing: drawer) { failures.append($0) }
    drawer.failSaves(1)
    store[1] = "one"
    await #expect(throws: Drawer.Stuck.self) { try await store.flush() }
    #expect(failures.all.count == 1)
    try await store.close()
  }

  @Test func `a change during a save is saved after it`() async throws {
    let store = try await makeStore()
    let gate = drawer.holdSave()
    store[1] = "a"
    let flush = Task { try await store.flush() }
    await drawer.saves.wait(for: 1)
    store[1] = "b"
    gate.open()
    try await flush.value
    #expect(drawer.values == [1: "a"])
    #expect(store.unsavedCount == 1)
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    await drawer.saved.wait(for: 2)
    #expect(drawer.values == [1: "b"])
  }

  @Test func `a failed save keeps its changes, is reported and is retried later`() async throws {
    let store = try await makeStore()
    drawer.failSaves(2)
    store[1] = "a"
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    await failures.wait(for: 1)
    #expect(store.unsavedCount == 1)
    store[2] = "b"
    // The retry waits for the delay of 5 to 10 s, even if many changes come.
    await clock.sleepers(1)
    clock.advance(by: .seconds(4))
    #expect(drawer.saves.all.count == 1)
    clock.advance(by: .seconds(6))
    await failures.wait(for: 2)
    await clock.sleepers(1)
    clock.advance(by: .seconds(10))
    await drawer.saved.wait(for: 1)
    #expect(drawer.values == [1: "a", 2: "b"])
    guard case .save(let error, let unsaved, _) = failures.all[1] else {
      Issue.record("\(failures.all)")
      return
    }
    #expect(error as? Drawer.Stuck == Drawer.Stuck())
    #expect(unsaved == 2)
  }

  @Test func `a flush saves at once, also during the delay after a failure`() async throws {
    let store = try await makeStore()
    drawer.failSaves(1)
    store[1] = "a"
    await #expect(throws: Drawer.Stuck()) { try await store.flush() }
    #expect(store.unsavedCount == 1)
    try await store.flush()
    #expect(drawer.values == [1: "a"])
    try await store.flush()
    #expect(drawer.saves.all.count == 2)
  }

  @Test func `closing saves the remaining changes and rejects later ones`() async throws {
    let store = try await makeStore()
    store[1] = "a"
    try await store.close()
    #expect(drawer.values == [1: "a"])
    store[1] = "b"
    #expect(store[1] == "a")
    #expect(failures.all.count == 1)
    try await store.close()
    #expect(drawer.saves.all.count == 1)
  }

  @Test func `a second close waits for the first one's save`() async throws {
    let store = try await makeStore()
    let gate = drawer.holdSave()
    store[1] = "a"
    let first = Task { try await store.close() }
    await drawer.saves.wait(for: 1)
    let second = Task {
      try await store.close()
      return drawer.values
    }
    for _ in 0..<20 { await Task.yield() }
    gate.open()
    #expect(try await second.value == [1: "a"])
    try await first.value
  }

  @Test func `a second close fails with the first close, and the store stays open`() async throws {
    let store = try await makeStore()
    let gate = drawer.holdSave()
    drawer.failSaves(1)
    store[1] = "a"
    let closings = (0..<2).map { _ in Task { try await store.close() } }
    await drawer.saves.wait(for: 1)
    gate.open()
    for closing in closings {
      await #expect(throws: Drawer.Stuck()) { try await closing.value }
    }
    store[2] = "b"
    try await store.close()
    #expect(drawer.values == [1: "a", 2: "b"])
  }

  @Test func `the retry delay after a failure ends when a flush has saved`() async throws {
    let store = try await makeStore()
    drawer.failSaves(1)
    store[1] = "a"
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    await failures.wait(for: 1)
    await clock.sleepers(1)
    try await store.flush()
    store[2] = "b"
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    await drawer.saved.wait(for: 2)
    #expect(drawer.values == [1: "a", 2: "b"])
  }

  @Test func `closing that fails leaves the store open with its changes`() async throws {
    let store = try await makeStore()
    drawer.failSaves(1)
    store[1] = "a"
    await #expect(throws: Drawer.Stuck()) { try await store.close() }
    store[2] = "b"
    try await store.close()
    #expect(drawer.values == [1: "a", 2: "b"])
  }

  @Test func `a released store saves its last changes, and its timers end`() async throws {
    var store: ObservableStore<Int, String>? = ObservableStore(
      backing: drawer, policy: .plain, clock: clock, isExpired: { _, _ in false })
    try await store?.waitUntilLoaded()
    weak let gone = store
    store?[1] = "a"
    await clock.sleepers(2)
    store = nil
    #expect(gone == nil)
    await drawer.saved.wait(for: 1)
    #expect(drawer.values == [1: "a"])
  }
}
