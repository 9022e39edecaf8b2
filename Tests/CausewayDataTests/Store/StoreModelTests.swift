import CausewayData
import TestSupport
import Testing

@testable import CausewayStores

/// Checks invariants after each step of random histories.
@MainActor
@Suite("Store: random histories", .timeLimit(.minutes(10))) struct StoreModelTests {
  @Test(arguments: 0..<UInt64(200))
  func `in every sequence of operations the last change of each key is shown and saved`(
    seed: UInt64
  )
    async throws
  {
    var random = SeededRandom(seed: seed)
    var expected = [1: "one", 2: "two", 3: "three"]
    let drawer = Drawer(expected)
    let clock = ManualClock()
    var gates: [Gate] = []
    if Bool.random(using: &random) { gates.append(drawer.holdLoad()) }
    let store = ObservableStore(backing: drawer, policy: .plain, clock: clock)
    var tasks: [Task<Void, Never>] = []
    for step in 0..<60 {
      let key = Int.random(in: 1...5, using: &random)
      switch Int.random(in: 0..<13, using: &random) {
      case 0...3:
        store[key] = "\(step)"
        expected[key] = "\(step)"
      case 4:
        store[key] = nil
        expected[key] = nil
      case 5: tasks.append(Task { try? await store.flush() })
      case 6: tasks.append(Task { try? await store.reload() })
      case 7: gates.append(drawer.holdSave())
      case 8: gates.append(drawer.holdLoad())
      case 9: gates.randomElement(using: &random)?.open()
      case 10: drawer.failSaves(Int.random(in: 0...2, using: &random))
      case 11:
        store.removeAll()
        expected = [:]
      default: clock.advance(by: .milliseconds(Int.random(in: 0...4_000, using: &random)))
      }
      for _ in 0..<Int.random(in: 0...3, using: &random) { await Task.yield() }
    }
    drawer.failSaves(0)
    let isEarly = Bool.random(using: &random)
    if isEarly {
      // The check also runs during loads and saves.
      tasks.append(Task { try? await store.close() })
      for _ in 0..<Int.random(in: 0...5, using: &random) { await Task.yield() }
    }
    for gate in gates { gate.open() }
    drawer.openAll()
    for task in tasks { await task.value }
    if isEarly {
      #expect(drawer.values == expected)
      return
    }
    try await store.waitUntilLoaded()
    for key in 1...5 { #expect(store[key] == expected[key], "key \(key)") }
    try await store.close()
    #expect(drawer.values == expected)
  }

  @Test(arguments: 0..<UInt64(50))
  func `no change waits longer than the policy allows, and none is saved twice needlessly`(
    seed: UInt64
  ) {
    var random = SeededRandom(seed: seed)
    let policy = StorePolicy.plain
    var schedule = SaveSchedule<Int>(policy: policy)
    var now = Duration.zero
    var waiting: [Int: Duration] = [:]
    for _ in 0..<2_000 {
      now += .milliseconds(Int.random(in: 0...1_200, using: &random))
      if let deadline = schedule.deadline, deadline <= now {
        let keys = schedule.begin()
        #expect(Set(keys ?? []) == Set(waiting.keys))
        for since in waiting.values {
          // Steps are at most 1.2 s apart, so a missed deadline is noticed up to 1.2 s late.
          #expect(now - since <= policy.maximumWait + .milliseconds(1_200))
        }
        schedule.succeed()
        waiting = [:]
      }
      if Bool.random(using: &random) {
        let key = Int.random(in: 0..<5, using: &random)
        schedule.change(key, now: now)
        waiting[key] = waiting[key] ?? now
      }
      #expect(schedule.unsavedCount == waiting.count)
      #expect((schedule.deadline == nil) == waiting.isEmpty)
    }
  }
}
