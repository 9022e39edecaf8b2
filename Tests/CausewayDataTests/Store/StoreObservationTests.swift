import CausewayData
import Observation
import TestSupport
import Testing

@MainActor
@Suite("Store: observation", .timeLimit(.minutes(10))) struct StoreObservationTests {
  private let drawer = Drawer([1: "one", 2: "two"])

  private func makeStore() async throws -> ObservableStore<Int, String> {
    let store = ObservableStore(backing: drawer, policy: .plain, clock: ManualClock())
    try await store.waitUntilLoaded()
    return store
  }

  /// Counts the notifications that an observing reader receives.
  private func observe(_ read: () -> Void) -> Log<Void> {
    let log = Log<Void>()
    withObservationTracking(read) { log.append(()) }
    return log
  }

  @Test func `a reader of a key is not notified of changes to another key`() async throws {
    let store = try await makeStore()
    let first = observe { _ = store[1] }
    let second = observe { _ = store[2] }
    store[1] = "uno"
    #expect(first.all.count == 1)
    #expect(second.all.isEmpty)
  }

  @Test func `a reader of a missing key is notified when it is added`() async throws {
    let store = try await makeStore()
    let log = observe { _ = store[3] }
    store[4] = "four"
    #expect(log.all.isEmpty)
    store[3] = "three"
    #expect(log.all.count == 1)
  }

  @Test func `a reader of a key is notified when the key is removed and when it is added again`()
    async throws
  {
    let store = try await makeStore()
    let gone = observe { _ = store[1] }
    store[1] = nil
    #expect(gone.all.count == 1)
    let back = observe { #expect(store[1] == nil) }
    store[1] = "uno"
    #expect(back.all.count == 1)
  }

  @Test
  func `a reader of the keys is notified of added and removed keys, but not of changed values`()
    async throws
  {
    let store = try await makeStore()
    let values = observe { _ = store.keys }
    store[1] = "uno"
    #expect(values.all.isEmpty)
    store[3] = "three"
    #expect(values.all.count == 1)
    let going = observe { _ = store.keys }
    store[3] = nil
    #expect(going.all.count == 1)
  }

  @Test func `an equal value notifies no reader`() async throws {
    let store = try await makeStore()
    let log = observe { _ = store[1] }
    store[1] = "one"
    #expect(log.all.isEmpty)
  }

  @Test func `readers that wait for the load are notified, each for its key`() async throws {
    let gate = drawer.holdLoad()
    let store = ObservableStore(backing: drawer, policy: .plain, clock: ManualClock())
    let (loaded, key, other) = (
      observe { _ = store.isLoaded }, observe { _ = store[1] }, observe { _ = store[9] }
    )
    gate.open()
    try await store.waitUntilLoaded()
    #expect(loaded.all.count == 1)
    #expect(key.all.count == 1)
    #expect(other.all.isEmpty)
  }

  @Test func `reading many missing keys uses limited memory, and no notification is lost`()
    async throws
  {
    let store = try await makeStore()
    let log = observe { _ = store[-1] }
    for key in 10..<5_000 { _ = store[key] }
    // One notification too many is better than a missing one.
    #expect(log.all.count == 1)
    let again = observe { _ = store[-1] }
    store[-1] = "there"
    #expect(again.all.count == 1)
  }
}
