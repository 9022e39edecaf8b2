import CausewayData
import TestSupport
import Testing

@testable import CausewayStores

/// When a flush returns, the earlier changes are stored, even if more changes come while it waits.
@MainActor
@Suite("Store: flushing", .timeLimit(.minutes(10))) struct StoreFlushTests {
  @Test func `a key changed again while a flush waits is saved before the flush returns`()
    async throws
  {
    let drawer = Drawer()
    let store = ObservableStore(backing: drawer, policy: .plain, clock: ManualClock())
    try await store.waitUntilLoaded()
    let gate = drawer.holdSave()
    store[2] = "two"
    let first = Task { try await store.flush() }
    await drawer.saves.wait(for: 1)
    store[1] = "one"
    let (started, stored) = (Log<Void>(), Log<String?>())
    let second = Task {
      started.append(())
      try await store.flush()
      stored.append(drawer.values[1])
    }
    await started.wait(for: 1)
    store[1] = "uno"
    gate.open()
    try await first.value
    try await second.value
    #expect(stored.all == ["uno"])
  }

  @Test func `a key counts as unsaved since its oldest unsaved change`() {
    var schedule = SaveSchedule<Int>(policy: .plain)
    schedule.change(1, now: .zero)
    #expect(schedule.begin() == [1])
    schedule.change(2, now: .zero)
    let version = schedule.lastVersion
    schedule.change(1, now: .zero)
    schedule.change(2, now: .zero)
    #expect(schedule.unsavedCount == 2)
    schedule.succeed()
    #expect(schedule.unsavedKeys == [1, 2])
    #expect(schedule.hasUnsaved(upTo: version))
    #expect(Set(schedule.begin() ?? []) == [1, 2])
    schedule.change(2, now: .zero)
    _ = schedule.fail(now: .zero, random: 0)
    #expect(schedule.hasUnsaved(upTo: version))
    #expect(Set(schedule.begin() ?? []) == [1, 2])
    schedule.change(2, now: .zero)
    schedule.succeed()
    #expect(!schedule.hasUnsaved(upTo: version))
    #expect(schedule.isDirty(2) && !schedule.isDirty(1))
    #expect(schedule.unsavedCount == 1)
  }
}
