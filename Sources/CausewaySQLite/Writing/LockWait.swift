/// Since when writes wait for a lock of another process.
///
/// One that has waited behind others which gave up has waited for the lock as they have. Otherwise a
/// hundred writes would give up one after the other, the last after a hundred times the timeout.
struct LockWait {
  private var lockedSince: ContinuousClock.Instant?

  /// When the wait of a write began, whose turn it is now.
  ///
  /// - Parameters:
  ///   - entered: When the write was handed in.
  ///   - now: The present time.
  func start(
    of entered: ContinuousClock.Instant, now: ContinuousClock.Instant
  ) -> ContinuousClock.Instant {
    lockedSince.map { max($0, entered) } ?? now
  }

  /// The lock was acquired.
  mutating func end() {
    lockedSince = nil
  }

  /// The lock could not be had in the time since then.
  mutating func giveUp(since start: ContinuousClock.Instant) {
    lockedSince = lockedSince ?? start
  }
}
