/// Records when writes began to wait for a lock of another process.
///
/// Writes run one after another, so a write may wait behind other writes that time out. This wait
/// counts as part of the write's own wait for the lock. Otherwise a hundred writes would time out
/// one after another, the last write after a hundred times the timeout.
struct LockWait {
  private var lockedSince: ContinuousClock.Instant?

  /// Returns the time at which the wait of the next write began.
  ///
  /// - Parameters:
  ///   - entered: The time at which the write was called.
  ///   - now: The current time.
  func start(
    of entered: ContinuousClock.Instant, now: ContinuousClock.Instant
  ) -> ContinuousClock.Instant {
    lockedSince.map { max($0, entered) } ?? now
  }

  /// Records that a write has acquired the lock.
  mutating func end() {
    lockedSince = nil
  }

  /// Records that a write has timed out without the lock.
  mutating func giveUp(since start: ContinuousClock.Instant) {
    lockedSince = lockedSince ?? start
  }
}
