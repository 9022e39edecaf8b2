import Causeway
import CausewayTesting
import TestSupport
import Testing

@MainActor
@Suite("TestClock")
struct TestClockTests {
  /// Starts one sleeper for each delay, in seconds; each adds its index when it wakes.
  private struct Sleepers: Interactor {
    let clock: TestClock

    var body: some Interactor<[Int], [Int]> {
      Interact(initialValue: []) { [clock] _, delays in
        .merge(
          delays.enumerated().map { index, delay in
            .perform { send in
              try await clock.sleep(for: .seconds(delay))
              await send { $0.append(index) }
            }
          })
      }
    }
  }

  @Test(arguments: [
    ([3, 1, 2], [1, 2, 0]),
    ([2, 1, 1, 2], [1, 2, 0, 3]),
  ])
  func `sleepers wake in the order of deadlines, then of going to sleep`(
    delays: [Int], order: [Int]
  ) async {
    let clock = TestClock()

    let model = TestModel(
      Interact(initialValue: [Int]()) { (state: inout [Int], action: Int) in
        .perform { send in
          try await clock.sleep(for: .seconds(delays[action]))
          await send { $0.append(action) }
        }
      }, clock: clock, exhaustivity: .off)
    for index in delays.indices { await model.send(index) }
    await clock.advance(by: .seconds(3))
    #expect(model.state == order)
    await model.finish()
  }

  @Test func `time stands still by itself, and advances exactly`() async {
    let clock = TestClock()
    let model = TestModel(Sleepers(clock: clock), clock: clock, exhaustivity: .off)
    await model.send([2])
    #expect(clock.now.offset == .zero)
    await clock.advance(by: .milliseconds(1999))
    #expect(model.state == [])
    await clock.advance(to: .init(offset: .seconds(2)))
    #expect(model.state == [0])
    #expect(clock.now.offset == .seconds(2))
    await model.finish()
  }

  @Test func `what a sleeper starts runs before the next one wakes`() async {
    let clock = TestClock()
    let model = TestModel(
      Interact(initialValue: [String]()) { (state: inout [String], action: String) in
        state.append(action)
        switch action {
        case "first":
          return .perform { send in
            try await clock.sleep(for: .seconds(1))
            await send("woken")
          }
        case "woken":
          return .perform { send in
            try await clock.sleep(for: .seconds(1))
            await send("again")
          }
        case "second":
          return .perform { send in
            try await clock.sleep(for: .seconds(3))
            await send("last")
          }
        default:
          return .state
        }
      }, clock: clock, exhaustivity: .off)
    await model.send("second")
    await model.send("first")
    await clock.advance(by: .seconds(10))
    #expect(model.state == ["second", "first", "woken", "again", "last"])
    await model.finish()
  }

  @Test func `run stops at its limit where effects never end`() async {
    let clock = TestClock()
    let model = TestModel(
      Interact(initialValue: 0) { (_: inout Int, _: Bool) in
        .perform { send in
          while true {
            try await clock.sleep(for: .seconds(1))
            await send { $0 += 1 }
          }
        }
      }, clock: clock, exhaustivity: .off)
    await model.send(true)
    #expect(await clock.run(upTo: .seconds(10)) == false)
    #expect(model.state == 10)
    await model.finish()
    #expect(await clock.run())
  }

  @Test func `a cancelled sleeper is gone`() async {
    let clock = TestClock()
    let model = TestModel(
      Interact(initialValue: 0) { (_: inout Int, starts: Bool) in
        starts
          ? .perform(id: "sleep") { send in
            try await clock.sleep(for: .seconds(1))
            await send { $0 += 1 }
          } : .cancel("sleep")
      }, clock: clock)
    await model.send(true)
    await model.send(false)
    await clock.advance(by: .seconds(1))
    await model.finish()
    #expect(model.state == 0)
  }
}
