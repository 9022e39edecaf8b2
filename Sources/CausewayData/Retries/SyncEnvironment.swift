public import Foundation

/// The clock, the date and the random numbers that syncing depends on.
///
/// A test passes a clock and a date that it controls.
public struct SyncEnvironment: Sendable {
  /// The time since some fixed moment, on a clock that is never set back.
  let now: @Sendable () -> Duration
  let sleep: @Sendable (Duration) async throws -> Void
  /// The system's date, which the user can set.
  let date: @Sendable () -> Date
  /// From 0 for the shortest wait to 1 for the longest.
  let random: @Sendable () -> Double

  /// Makes an environment.
  ///
  /// - Parameters:
  ///   - clock: What waits are measured with.
  ///   - date: The date that entries are marked with, and from which waits are taken up again after
  ///     a restart.
  public init<C: Clock>(
    clock: C = ContinuousClock(), date: @escaping @Sendable () -> Date = { Date() }
  ) where C.Duration == Duration {
    self.init(clock: clock, date: date) { Double.random(in: 0..<1) }
  }

  package init<C: Clock>(
    clock: C, date: @escaping @Sendable () -> Date = { Date() },
    random: @escaping @Sendable () -> Double
  ) where C.Duration == Duration {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    self.date = date
    self.random = random
  }
}
