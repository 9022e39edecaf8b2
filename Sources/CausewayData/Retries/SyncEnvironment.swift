public import Foundation

/// The clock, the date and the random numbers that syncing depends on; tests bring their own.
public struct SyncEnvironment: Sendable {
  /// The time since some fixed moment, on a clock that is never set back.
  let now: @Sendable () -> Duration
  let sleep: @Sendable (Duration) async throws -> Void
  /// The system's date, which the user can set.
  let date: @Sendable () -> Date
  /// At least 0 and less than 1.
  let random: @Sendable () -> Double

  /// Makes an environment.
  ///
  /// - Parameters:
  ///   - clock: What waits are measured with.
  ///   - date: The date that entries are marked with, and from which waits are taken up again after
  ///     a restart.
  ///   - random: What spreads waits; at least 0 and less than 1.
  public init<C: Clock>(
    clock: C = ContinuousClock(), date: @escaping @Sendable () -> Date = { Date() },
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) where C.Duration == Duration {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    self.date = date
    self.random = random
  }
}
