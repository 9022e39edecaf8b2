import CausewayData
import TestSupport
import Testing

@testable import CausewayBasics
@testable import CausewayStores

/// Rule 3 for stores: no value of a session remains after its end.
@MainActor
@Suite("Store: sessions", .timeLimit(.minutes(10))) struct StoreSessionTests {
  private let drawer = Drawer()
  private let clock = ManualClock()
  private let failures = Log<StoreFailure>()

  private func makeStore() -> ObservableStore<Int, String> {
    ObservableStore(
      backing: drawer, policy: .plain, clock: clock, report: { [failures] in failures.append($0) })
  }

  @Test func `between two sessions changes are rejected`() async throws {
    let session = SessionService(account: "ada")
    let store = makeStore()
    try await store.waitUntilLoaded()
    session.add(store.participant)
    store[1] = "ada's"
    try await session.logout()
    #expect(store.keys.isEmpty)
    #expect(drawer.values == [:])
    store[1] = "ada's again"
    #expect(store[1] == nil)
    guard case .sessionEnded? = failures.all.last else {
      Issue.record("\(failures.all)")
      return
    }
    try await session.signIn("bob")
    #expect(store.keys.isEmpty)
    store[1] = "bob's"
    try await store.close()
    #expect(drawer.values == [1: "bob's"])
  }

  @Test func `a change with a ticket of an earlier session is rejected`() async throws {
    let session = SessionService(account: "ada")
    let store = makeStore()
    try await store.waitUntilLoaded()
    session.add(store.participant)
    let ticket = try #require(session.current)
    try store.set("ada's", for: 1, as: ticket)
    #expect(store[1] == "ada's")
    try await session.logout()
    let next = try await session.signIn("ada")
    #expect(throws: SessionError.self) { try store.set("old", for: 1, as: ticket) }
    #expect(store[1] == nil)
    try store.set("new", for: 1, as: next)
    #expect(store[1] == "new")
  }

  @Test func `a logout removes values that were not loaded, also from a closed store`() async throws
  {
    drawer.values = [1: "ada's"]
    let gate = drawer.holdLoad()
    let session = SessionService(account: "ada")
    let store = makeStore()
    await drawer.loads.wait(for: 1)
    session.add(store.participant)
    try await store.close()
    #expect(drawer.values == [1: "ada's"])
    try await session.logout()
    #expect(drawer.values == [:])
    gate.open()
  }

  @Test func `a sign-in removes data left by an earlier process`() async throws {
    drawer.values = [1: "ada's"]
    let session = SessionService()
    let store = makeStore()
    session.add(store.participant)
    try await session.signIn("bob")
    #expect(store.keys.isEmpty)
    #expect(drawer.values == [:])
  }

  @Test func `a session restored at launch keeps its values`() async throws {
    drawer.values = [1: "ada's"]
    let session = SessionService(account: "ada")
    let store = makeStore()
    session.add(store.participant)
    try await store.waitUntilLoaded()
    #expect(store[1] == "ada's")
    store[2] = "more"
    try await store.close()
    #expect(drawer.values == [1: "ada's", 2: "more"])
  }

  @Test func `a store that cannot be emptied delays the next session`() async throws {
    let session = SessionService(account: "ada")
    let store = makeStore()
    try await store.waitUntilLoaded()
    session.add(store.participant)
    store[1] = "ada's"
    try await store.flush()
    drawer.failSaves(2)
    await #expect(throws: SessionError.self) { try await session.logout() }
    await #expect(throws: SessionError.self) { try await session.signIn("bob") }
    store[1] = "late"
    #expect(store[1] == nil)
    try await session.signIn("bob")
    #expect(drawer.values == [:])
    store[1] = "bob's"
    #expect(store[1] == "bob's")
  }

  @Test func `a late end of a session does not close the next session`() throws {
    let epoch = CurrentEpoch()
    func begin() -> SessionTicket {
      SessionTicket(account: "ada", epoch: epoch.advance().number, current: epoch)
    }
    var gate = SessionGate()
    let first = begin()
    gate.began(first)
    let second = begin()
    gate.shut()
    gate.began(first)
    #expect(gate.isShut)
    gate.began(second)
    let isLate = !gate.ended(first)
    #expect(isLate && !gate.isShut)
    let isDone = gate.ended(second)
    #expect(isDone && gate.isShut)
  }

  @Test(arguments: 0..<UInt64(200))
  func `changes of a screen around a logout never appear in the next session`(seed: UInt64)
    async throws
  {
    var random = SeededRandom(seed: seed)
    drawer.values = [1: "a", 2: "a"]
    var gates: [Gate] = []
    if Bool.random(using: &random) { gates.append(drawer.holdLoad()) }
    let session = SessionService(account: "ada")
    let store = makeStore()
    session.add(store.participant)
    let ticket = try #require(session.current)
    var change: Task<Void, any Error>?
    let start = Int.random(in: 0..<20, using: &random)
    let isWaited = Bool.random(using: &random)
    for step in 0..<40 {
      if step == start {
        change = Task {
          try await session.logout()
          if isWaited { await Task.yield() }
          try await session.signIn("bob")
        }
      }
      let key = Int.random(in: 1...4, using: &random)
      switch Int.random(in: 0..<7, using: &random) {
      case 0: try? store.set("a", for: key, as: ticket)
      // The actions of a screen without tickets that stays until the next session.
      case 1: if session.current?.account != "bob" { store[key] = "a" }
      case 2: _ = Task { try? await store.flush() }
      case 3: _ = Task { try? await store.reload() }
      case 4: gates.append(drawer.holdSave())
      case 5: gates.randomElement(using: &random)?.open()
      default: clock.advance(by: .milliseconds(Int.random(in: 0...4_000, using: &random)))
      }
      for _ in 0..<Int.random(in: 0...4, using: &random) { await Task.yield() }
    }
    for gate in gates { gate.open() }
    drawer.openAll()
    try await change?.value
    try await store.waitUntilLoaded()
    #expect(store.keys.isEmpty)
    store[1] = "b"
    try await store.close()
    #expect(drawer.values == [1: "b"])
  }
}
