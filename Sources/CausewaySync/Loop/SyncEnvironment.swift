package import CausewayNetwork
public import Foundation

/// The clock, the date and the random numbers that syncing depends on.
///
/// A test passes its own clock and date.
public struct SyncEnvironment: Sendable {
  /// The time since a fixed moment, on a clock that is never set back.
  let now: @Sendable () -> Duration
  let sleep: @Sendable (Duration) async throws -> Void
  /// The system's date, which the user can set.
  let date: @Sendable () -> Date
  /// A number from 0 for the shortest wait to 1 for the longest.
  let random: @Sendable () -> Double
  /// Returns the key of a new mutation.
  let makeKey: @Sendable () -> IdempotencyKey

  /// Makes an environment.
  ///
  /// - Parameters:
  ///   - clock: Measures waits.
  ///   - date: Returns the date for new entries. After a restart, the remaining time of each wait
  ///     is computed from this date.
  public init<C: Clock>(
    clock: C = ContinuousClock(), date: @escaping @Sendable () -> Date = { Date() }
  ) where C.Duration == Duration {
    self.init(clock: clock, date: date) { Double.random(in: 0..<1) }
  }

  package init<C: Clock>(
    clock: C, date: @escaping @Sendable () -> Date = { Date() },
    random: @escaping @Sendable () -> Double,
    makeKey: @escaping @Sendable () -> IdempotencyKey = { IdempotencyKey() }
  ) where C.Duration == Duration {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    self.date = date
    self.random = random
    self.makeKey = makeKey
  }
}
