import CausewayData

/// Waits for a lock by suspending between attempts, so that no thread is blocked.
struct Patience {
  private let deadline: ContinuousClock.Instant

  init(_ timeout: Duration, since start: ContinuousClock.Instant = .now) {
    deadline = start + timeout
  }

  /// Calls the closure until it succeeds, fails otherwise than with `busy`, or time is up.
  ///
  /// - Throws: The closure's error, or `CancellationError` when the task is cancelled meanwhile.
  func retry<T>(
    isolation: isolated (any Actor)? = #isolation, _ attempt: () throws -> T
  ) async throws -> T {
    var pause = Duration.milliseconds(1)
    while true {
      do {
        return try attempt()
      } catch let error as PersistenceError where error.kind == .busy {
        guard .now < deadline else { throw error }
      }
      // The last attempt is at the end of the time, not before.
      try await Task.sleep(until: min(.now + pause, deadline))
      pause = min(pause * 2, .milliseconds(50))
    }
  }
}

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

  /// The lock could be had.
  mutating func end() {
    lockedSince = nil
  }

  /// The lock could not be had in the time since then.
  mutating func giveUp(since start: ContinuousClock.Instant) {
    lockedSince = lockedSince ?? start
  }
}
