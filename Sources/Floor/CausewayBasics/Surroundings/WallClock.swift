package import Foundation

/// The time of day, which a user or a time server may set back.
///
/// It is used only for dates that must survive the process.
package struct WallClock: Sendable {
  package let date: @Sendable () -> Date

  package init(date: @escaping @Sendable () -> Date) {
    self.date = date
  }

  /// Makes a clock from the milliseconds since 1970.
  package init(milliseconds: @escaping @Sendable () -> Int64) {
    date = { Date(timeIntervalSince1970: Double(milliseconds()) / 1_000) }
  }

  package static let system = WallClock(date: { Date() })

  /// The milliseconds since 1970.
  package func milliseconds() -> Int64 {
    // Only a clock of a test shows a date that does not fit.
    Int64(exactly: (date().timeIntervalSince1970 * 1_000).rounded()) ?? 0
  }
}
