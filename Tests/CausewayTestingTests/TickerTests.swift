import CausewayTesting
import TestSupport
import Testing

/// Objects with tasks of their own, which sleep on a test clock.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct TickerTests {
  @MainActor private final class Ticker {
    private(set) var minutes = 0
    private var ticking: Task<Void, Never>?

    func start<C: Clock>(on clock: C) where C.Duration == Duration {
      ticking?.cancel()
      ticking = Task { [weak self] in
        while (try? await clock.sleep(for: .seconds(60))) != nil { self?.minutes += 1 }
      }
    }

    func stop() { ticking?.cancel() }
  }

  @Test func `a clock waits until the task of an object sleeps`() async {
    let clock = TestClock()
    let ticker = Ticker()
    ticker.start(on: clock)
    for minute in 1...3 {
      await clock.waitForSleepers()
      #expect(ticker.minutes == minute - 1)
      await clock.advance(by: .seconds(60))
    }
    await clock.waitForSleepers()
    #expect(ticker.minutes == 3)
    ticker.stop()
  }

  @Test func `a clock waits for several tasks`() async {
    let clock = TestClock()
    let tickers = (0..<5).map { _ in Ticker() }
    for ticker in tickers { ticker.start(on: clock) }
    await clock.waitForSleepers(5)
    await clock.advance(by: .seconds(60))
    await clock.waitForSleepers(5)
    #expect(tickers.map(\.minutes) == [1, 1, 1, 1, 1])
    for ticker in tickers { ticker.stop() }
  }

  @Test func `a wait for a missing sleeper is a failure that names the sleepers`() async {
    let clock = TestClock()
    let ticker = Ticker()
    ticker.start(on: clock)
    await clock.waitForSleepers()
    let failures = Log<String>()
    await clock.waitForSleepers(
      2, within: .milliseconds(20), reporter: FailureReporter { text, _ in failures.append(text) })
    #expect(
      failures.all == [
        "The number of tasks that sleep on the clock was not 2 within 0.02 seconds. The clock is at "
          + "0.0 seconds, and 1 sleep until 60.0 seconds."
      ])
    ticker.stop()
  }

  @Test func `a wait for a sleeper ends when it is cancelled`() async {
    let clock = TestClock()
    let began = Log<Int>()
    let task = Task {
      began.append(1)
      await clock.waitForSleepers()
    }
    await began.wait(for: 1)
    task.cancel()
    await task.value
    let late = Task { await clock.waitForSleepers() }
    late.cancel()
    await late.value
    await clock.waitForSleepers(0)
  }
}
