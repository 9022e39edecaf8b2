import CausewayData
import CausewayDataTesting
import CausewayTesting
import Foundation
import Testing

@testable import CausewaySync

/// Columns of an entry that no outbox writes, for example in a damaged or copied database.
@Suite struct `An entry with impossible numbers` {
  private func item(
    attempts: Int = 0, failures: String = "", next: Double? = nil
  ) -> OutboxMachine.Item {
    let entry = WaitingEntry(
      sequence: 1, collection: "notes", scope: "all", attempts: attempts, failures: failures,
      nextAttempt: next.map { Date(timeIntervalSinceReferenceDate: $0) }, requires: "")
    return OutboxMachine.Item(
      entry, Surroundings(clock: TestClock(), date: { Date(timeIntervalSince1970: 0) }),
      RetryTable(backoff: Backoff(cap: .seconds(300)), rules: [:]))
  }

  @Test(arguments: [1e308, .infinity, .nan, 9e18, 1e30])
  func `waits at most the longest delay`(date: Double) {
    #expect(item(next: date).due == .seconds(300))
  }

  @Test(arguments: [-1e308, -.infinity, -9e18])
  func `is sent at once after an impossible date in the past`(date: Double) {
    #expect(item(next: date).due == .zero)
  }

  @Test(arguments: [Int.max, .min, -1])
  func `can have another attempt`(attempts: Int) {
    let item = item(attempts: attempts, failures: "busy \(attempts)")
    var failures = item.failures
    failures.add(.busy)
    #expect(failures[.busy] > 0)
    #expect(item.attempts >= 0 && item.attempts < .max)
    #expect(Backoff().delay(afterAttempts: attempts, random: 1) >= .seconds(1))
  }
}
