public import Foundation

/// The time, the date, the random numbers and the identifiers that a component depends on.
///
/// A test passes its own clock and date. A simulation gives each node its own values.
public struct Surroundings: Sendable {
  /// The time since a fixed moment, on a clock that is never set back.
  package let now: @Sendable () -> Duration
  /// Waits for a duration; throws when the task is cancelled.
  package let sleep: @Sendable (Duration) async throws -> Void
  /// The system's date, which the user can set.
  package let wallClock: WallClock
  /// A number from 0 for the shortest wait to 1 for the longest.
  package let random: @Sendable () -> Double
  /// Returns an identifier that has not been used before.
  package let uuid: @Sendable () -> UUID
  /// Lets other tasks run before a component returns without a wait; `nil` outside a simulation.
  package let giveWay: (@Sendable () async -> Void)?

  /// Makes surroundings.
  ///
  /// - Parameters:
  ///   - clock: Measures waits. The clock of a simulation also provides the random numbers.
  ///   - date: Returns the date for new entries. After a restart, the remaining time of each wait
  ///     is computed from this date. Default: the date of the system or of the simulation.
  public init<C: Clock>(
    clock: C = ContinuousClock(), date: (@Sendable () -> Date)? = nil
  ) where C.Duration == Duration {
    guard let time = clock as? any SimulatedTime else {
      self.init(clock: clock, date: date ?? { Date() }, random: { .random(in: 0..<1) })
      return
    }
    self.init(
      clock: clock, date: date ?? WallClock(milliseconds: { time.milliseconds() }).date,
      random: { time.randomFraction() })
  }

  package init<C: Clock>(
    clock: C, date: @escaping @Sendable () -> Date = { Date() },
    random: @escaping @Sendable () -> Double,
    uuid: @escaping @Sendable () -> UUID = { SystemValues.uuid() }
  ) where C.Duration == Duration {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    wallClock = WallClock(date: date)
    self.random = random
    self.uuid = uuid
    if let time = clock as? any SimulatedTime {
      giveWay = { await time.giveWay() }
    } else {
      giveWay = nil
    }
  }

  package var date: Date { wallClock.date() }
}
