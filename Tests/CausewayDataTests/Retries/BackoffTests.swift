import CausewayData
import TestSupport
import Testing

@testable import CausewayBasics
@testable import CausewayStores

struct BackoffTests {
  @Test(arguments: [0.0, 0.25, 0.5, 1], [1, 2, 3, 9, 10, 64, 1_000_000, Int.max])
  func `a wait with jitter stays between its shortest and its full length`(
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
    // The random waits use the whole range.
    #expect(shortest <= full * (1 - jitter * 0.95))
  }

  @Test func `a random value outside its range keeps the wait within its bounds`() {
    let backoff = Backoff(initial: .seconds(1), cap: .seconds(8), jitter: 1)
    #expect(backoff.delay(afterAttempts: 1, random: 7) == .seconds(1))
    #expect(backoff.delay(afterAttempts: 1, random: -7) == .zero)
    #expect(backoff.delay(afterAttempts: -3, random: 1) == .seconds(1))
  }

  /// The waits of all parts of the package that retry, for a random value.
  ///
  /// The full wait is 2 s.
  private static let waits: [(name: String, wait: @Sendable (Double) -> Duration?)] = [
    ("Backoff", { Backoff(initial: .seconds(2)).delay(afterAttempts: 1, random: $0) }),
    (
      "RetryTable",
      { random in
        let table = RetryTable(backoff: Backoff(initial: .seconds(2)), rules: [:])
        let verdict = table.verdict(on: RemoteFailure(.busy), attempts: 1, random: random)
        guard case .retry(let wait) = verdict else { return nil }
        return wait
      }
    ),
    (
      "NetworkRetryPolicy",
      { random in
        NetworkRetryPolicy(firstDelay: .seconds(2)).delay(
          after: NetworkError(.connectionLost, message: "lost"), attempt: 1, isRepeatable: true,
          random: random)
      }
    ),
    (
      "SaveSchedule",
      { random in
        var schedule = SaveSchedule<Int>(policy: StorePolicy(retryPause: .seconds(2)))
        schedule.change(1, now: .zero)
        _ = schedule.begin()
        return schedule.fail(now: .zero, random: random)
      }
    ),
    (
      "ResourcePolicy",
      { random in
        ResourcePolicy(retryPause: .seconds(2)).backoff.delay(afterAttempts: 1, random: random)
      }
    ),
  ]

  @Test(arguments: waits.map(\.name))
  func `random 0 gives the shortest wait and random 1 the longest`(name: String) throws {
    let wait = try #require(Self.waits.first { $0.name == name }).wait
    #expect(wait(0) == .seconds(1))
    #expect(wait(0.5) == .milliseconds(1500))
    #expect(wait(1) == .seconds(2))
  }

  @Test func `a first wait of zero stays zero, and a shorter limit applies to the first wait`() {
    let none = Backoff(first: .zero, longest: .seconds(8))
    #expect(none.delay(afterAttempts: 5, random: 1) == .zero)
    let short = Backoff(first: .seconds(8), longest: .seconds(2))
    #expect(short.delay(afterAttempts: 1, random: 1) == .seconds(2))
  }
}
