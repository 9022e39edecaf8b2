import Causeway
import CausewayTesting
import TestSupport
import Testing

/// The code of the article on callbacks and timers.
@Suite(.timeLimit(.minutes(10)))
@MainActor struct CallbacksAndTimersTests {
  @Test func `a task with a clock ticks on the main actor until its object is released`() async {
    let clock = TestClock()
    var harbour: HarbourClock? = HarbourClock()
    harbour?.start(on: clock)
    await clock.waitForSleepers()
    for minute in 1...2 {
      await clock.advance(by: .seconds(60))
      await clock.waitForSleepers()
      #expect(harbour?.minutes == minute)
    }
    weak let gone = harbour
    harbour = nil
    #expect(gone == nil)
  }

  @Test func `a countdown counts down and stops on request`() async {
    let clock = TestClock()
    let model = TestModel(Countdown(minutes: 3), clock: clock)
    await model.send(.start)
    await clock.advance(by: .seconds(60))
    await model.expect { $0.minutes = 2 }
    await model.send(.stop)
    await clock.advance(by: .seconds(600))
    await model.finish()
  }
}
