import Synchronization

/// The pause between two runs of a live query.
///
/// Without it, a query whose table changes all the time would run all the time, and slow down the
/// writers. The pause begins at the end of a run, so a slow query leaves time too.
struct RunPause: Sendable {
  /// Starts the pause.
  let begin: @Sendable () -> Void
  /// Returns when no pause is running; throws `CancellationError`.
  let wait: @Sendable () async throws -> Void

  init<C: Clock<Duration>>(_ length: Duration, clock: C) {
    let end = PauseEnd<C.Instant>()
    begin = {
      let instant = clock.now.advanced(by: length)
      end.instant.withLock { $0 = instant }
    }
    wait = {
      guard let instant = end.instant.withLock({ $0 }), instant > clock.now else { return }
      try await clock.sleep(until: instant, tolerance: nil)
    }
  }
}

private final class PauseEnd<Instant: Sendable>: Sendable {
  let instant = Mutex<Instant?>(nil)
}
