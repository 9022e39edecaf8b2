import CausewayData
import TestSupport
import Testing

struct BackoffTests {
  @Test(arguments: [0.0, 0.25, 0.5, 1], [1, 2, 3, 9, 10, 64, 1_000_000, Int.max])
  func `a wait is between its jittered and its full length, and below the cap`(
    jitter: Double, attempts: Int
  ) {
    let backoff = Backoff(initial: .milliseconds(250), cap: .seconds(60), jitter: jitter)
    let full = attempts > 8 ? Duration.seconds(60) : .milliseconds(250) * (1 << (attempts - 1))
    var random = SeededRandom(seed: UInt64(attempts % 1000))
    var shortest = Duration.seconds(61)
    for _ in 0..<500 {
      let chance = Double.random(in: 0..<1, using: &random)
      let delay = backoff.delay(afterAttempts: attempts, random: chance)
      #expect(delay <= full)
      #expect(delay >= full * (1 - jitter))
      shortest = min(shortest, delay)
    }
    // Chance uses the range that it has.
    #expect(shortest <= full * (1 - jitter * 0.95))
  }

  @Test func `a random value outside its range keeps the wait within its bounds`() {
    let backoff = Backoff(initial: .seconds(1), cap: .seconds(8), jitter: 1)
    #expect(backoff.delay(afterAttempts: 1, random: 7) == .zero)
    #expect(backoff.delay(afterAttempts: 1, random: -7) == .seconds(1))
    #expect(backoff.delay(afterAttempts: -3, random: 0) == .seconds(1))
  }
}
