import CausewaySystem

/// The time of day, which a user or a time server may set back.
///
/// It is used only for dates that must survive the process.
package struct WallClock: Sendable {
  /// Returns the time in milliseconds since 1970.
  package var milliseconds: @Sendable () -> Int64

  package init(milliseconds: @escaping @Sendable () -> Int64) {
    self.milliseconds = milliseconds
  }

  package static let system = WallClock {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
