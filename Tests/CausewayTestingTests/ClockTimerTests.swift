import Causeway
import CausewayTesting
import TestSupport
import Testing

/// The clock of a model as a provided value, and its timers.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct ClockTimerTests {
  struct Stopwatch: Interactor {
    enum Action: Sendable { case start, stop }

    var body: some Interactor<Int, Action> {
      InteractWithValues<Int, Action>(initialValue: 0) { _, action, values in
        switch action {
        case .start:
          .observe(values[.clock].timer(every: .seconds(1)), id: "timer") { $0 = $1 }
        case .stop: .cancel("timer")
        }
      }
    }
  }

  @Test func `a feature has the clock of its test model`() async {
    let clock = TestClock()
    let model = TestModel(Stopwatch(), clock: clock)
    await model.send(.start)
    await clock.advance(by: .milliseconds(999))
    await clock.advance(by: .milliseconds(2001))
    for second in 1...3 { await model.expect { $0 = second } }
    await model.send(.stop)
    await clock.advance(by: .seconds(10))
    await model.finish()
  }

  @Test func `a feature has the clock of its view model, or a nearer one`() async {
    let clock = TestClock()
    let model = ViewModel(Stopwatch(), clock: clock)
    model.send(.start)
    await clock.waitForSleepers()
    await clock.advance(by: .seconds(1))
    _ = await model.states.first { $0 == 1 }
    let nearer = TestClock()
    let other = ViewModel(Stopwatch().providing(.clock, nearer), clock: clock)
    other.send(.start)
    await nearer.waitForSleepers()
    await nearer.advance(by: .seconds(1))
    _ = await other.states.first { $0 == 1 }
  }

  @Test func `a late consumer gets the number of intervals that have passed`() async {
    let clock = TestClock()
    var ticks = clock.timer(every: .seconds(2)).makeAsyncIterator()
    await clock.advance(by: .seconds(7))
    let missed = await ticks.next(isolation: #isolation)
    #expect(missed == 3)
    let next = Task { [ticks] in
      var ticks = ticks
      return await ticks.next(isolation: #isolation)
    }
    await clock.waitForSleepers()
    await clock.advance(by: .milliseconds(999))
    #expect(clock.now.offset < .seconds(8))
    await clock.advance(by: .milliseconds(1))
    let last = await next.value
    #expect(last == 4)
  }

  @Test func `a timer ends when its task is cancelled`() async {
    let clock = TestClock()
    let seen = Log<Int>()
    let task = Task {
      for await tick in clock.timer(every: .seconds(1)) { seen.append(tick) }
    }
    await clock.waitForSleepers()
    await clock.advance(by: .seconds(1))
    await seen.wait(for: 1)
    task.cancel()
    await task.value
    #expect(seen.all == [1])
  }
}
