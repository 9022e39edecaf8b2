import Causeway
import CausewayTesting
import TestSupport
import Testing

@MainActor
@Suite("TestClock")
struct TestClockTests {
  /// Starts one sleeper per delay in seconds.
  ///
  /// Each adds its index when it wakes.
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
  func `sleepers wake in the order of their deadlines, then of their calls`(
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

  @Test func `work that stays on the main actor sleeps on the clock`() async {
    let clock = TestClock()
    let model = TestModel(
      Interact(initialValue: [Int]()) { (state: inout [Int], action: Int) in
        .stay { send in
          try await clock.sleep(for: .seconds(action))
          send { $0.append(action) }
        }
      }, clock: clock)
    for seconds in [3, 1, 2] { await model.send(seconds) }
    await clock.advance(by: .seconds(1))
    await model.expect { $0 = [1] }
    await clock.advance(by: .seconds(2))
    await model.expect { $0 = [1, 2] }
    await model.expect { $0 = [1, 2, 3] }
    await model.finish()
  }

  @Test(arguments: [
    (EffectPolicy.debounce(for: .seconds(1)), [3]),
    (.throttle(for: .seconds(1), latest: true), [1, 3]),
  ])
  func `a delay of a policy applies to work that stays`(
    policy: EffectPolicy, expected: [Int]
  ) async {
    let clock = TestClock()
    let model = TestModel(
      Interact(initialValue: [Int]()) { (state: inout [Int], action: Int) in
        .stay(policy, id: "work") { send in send { $0.append(action) } }
      }, clock: clock, exhaustivity: .off)
    for number in [1, 2, 3] { await model.send(number) }
    await clock.advance(by: .seconds(2))
    #expect(model.state == expected)
    await model.finish()
  }

  @Test func `the test clock advances only by explicit calls, and exactly`() async {
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

  @Test func `work started by a sleeper runs before the next sleeper wakes`() async {
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

  @Test func `run stops at its limit when effects never end`() async {
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

  @Test func `a cancelled sleeper is removed`() async {
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

  /// A model with one effect.
  private func model(
    _ id: EffectID, _ clock: TestClock, _ reporter: FailureReporter = .automatic,
    _ exhaustivity: Exhaustivity = .off,
    work: @escaping @concurrent @Sendable () async throws -> Void
  ) async -> TestModel<Int, Bool> {
    let model = TestModel(
      Interact(initialValue: 0) { (_: inout Int, _: Bool) in
        .perform(id: id) { _ in try await work() }
      }, clock: clock, exhaustivity: exhaustivity, reporter: reporter)
    await model.send(true)
    return model
  }

  @Test func `work passed between models finishes before the next sleeper wakes`() async {
    let clock = TestClock()
    let gate = Gate()
    let log = Log<String>()
    // The models register in this order. So the last model passes work to the second model after
    // the second model was drained.
    let models = [
      await model("second", clock) {
        try await clock.sleep(for: .seconds(2))
        log.append("second")
      },
      await model("follower", clock) {
        await gate.wait()
        log.append("follower")
      },
      await model("first", clock) {
        try await clock.sleep(for: .seconds(1))
        log.append("first")
        gate.open()
      },
    ]
    await clock.advance(by: .seconds(3))
    #expect(log.all == ["first", "follower", "second"])
    for model in models { await model.finish() }
  }

  @Test func `of two models on a clock, only the sleeping model is reported as sleeping`() async {
    let clock = TestClock()
    let failures = Log<String>()
    let reporter = FailureReporter { message, _ in failures.append(message) }
    let waiting = await model("waiting", clock, reporter, .on) { await Gate().wait() }
    let sleeping = await model("sleeping", clock, reporter, .on) {
      try await clock.sleep(for: .seconds(5))
    }
    await waiting.finish()
    await sleeping.finish()
    #expect(failures.all.count == 2)
    #expect(failures.all[0].contains("waiting #1 is suspended outside the test's control"))
    #expect(failures.all[1].contains("sleeping #1 sleeps on the test clock until 5.0 seconds"))
  }

  @Test func `work that stays, and child tasks, are reported as sleeping`() async {
    let clock = TestClock()
    let failures = Log<String>()
    let model = TestModel(
      Interact(initialValue: 0) { (_: inout Int, action: Bool) in
        if action {
          .stay(id: "staying") { _ in
            async let child: Void = clock.sleep(for: .seconds(5))
            try await child
            try await clock.sleep(for: .seconds(1))
          }
        } else {
          .perform(id: "parent") { _ in
            async let child: Void = clock.sleep(for: .seconds(7))
            try await child
          }
        }
      }, clock: clock, reporter: FailureReporter { message, _ in failures.append(message) })
    await model.send(true)
    await model.send(false)
    #expect(
      model.runningEffects.map(\.description).map { $0.prefix { $0 != "(" } } == [
        "effect staying #1 sleeps on the test clock until 5.0 seconds ",
        "effect parent #2 sleeps on the test clock until 7.0 seconds ",
      ])
    await clock.advance(by: .seconds(5))
    #expect(
      model.runningEffects.first?.description.hasPrefix(
        "effect staying #1 sleeps on the test clock until 6.0 seconds") == true)
    await clock.advance(by: .seconds(2))
    await model.finish()
    #expect(failures.all == [])
  }

  @MainActor
  private final class Holder {
    var model: TestModel<Int, Bool>?
  }

  @Test func `a model can be released while its clock advances`() async {
    let clock = TestClock()
    let holder = Holder()
    holder.model = TestModel(
      Interact(initialValue: 0) { [holder] (_: inout Int, _: Bool) in
        .perform { send in
          try await clock.sleep(for: .seconds(1))
          await send { _ in holder.model = nil }
        }
      }, clock: clock, exhaustivity: .off)
    await holder.model?.send(true)
    await clock.advance(by: .seconds(2))
    #expect(holder.model == nil)
    #expect(await clock.run())
  }
}
