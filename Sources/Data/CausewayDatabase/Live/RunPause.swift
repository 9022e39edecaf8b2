import Synchronization

/// The pause between two runs of a live query.
///
/// Without it, a query whose table changes all the time would run all the time, and slow down the
/// writers. The pause begins at the end of a run, so a slow query also leaves time for writers. The
/// pause of a query depends on the time that all queries of the service have run since the end of
/// its last run. So even a hundred queries leave time for writers: while commits follow each other,
/// the queries of a service take about a fifth of one processor.
struct RunPause: Sendable {
  /// Notes the start of a run.
  let beginRun: @Sendable () -> Void
  /// Notes the end of a run and of its delivery, and starts the pause.
  let endRun: @Sendable () -> Void
  /// Returns when no pause is running; throws `CancellationError`.
  let wait: @Sendable () async throws -> Void

  /// The ratio of a pause to the time that queries have run since the last pause.
  private static var ratio: Int { 4 }
  /// The longest pause that running queries cause; a screen is drawn about once in this time.
  private static var longest: Duration { .milliseconds(20) }

  /// - Parameters:
  ///   - length: The shortest pause.
  ///   - load: The time that the queries of the service have run.
  init<C: Clock<Duration>>(_ length: Duration, load: RunLoad, clock: C) {
    let state = PauseState<C.Instant>(load: load.total)
    beginRun = {
      let now = clock.now
      state.value.withLock { $0.start = now }
    }
    endRun = {
      let now = clock.now
      state.value.withLock { state in
        guard let start = state.start.take() else { return }
        let total = load.add(start.duration(to: now))
        let ran = total - state.load
        state.load = total
        state.end = now.advanced(by: max(length, min(ran * Self.ratio, Self.longest)))
      }
    }
    wait = {
      guard let end = state.value.withLock({ $0.end }), end > clock.now else { return }
      try await clock.sleep(until: end, tolerance: nil)
    }
  }
}

/// The time that the queries of a service have run.
final class RunLoad: Sendable {
  private let time = Mutex(Duration.zero)

  var total: Duration { time.withLock { $0 } }

  /// Adds a run, and returns the total.
  func add(_ duration: Duration) -> Duration {
    time.withLock { time in
      time += duration
      return time
    }
  }
}

private final class PauseState<Instant: Sendable>: Sendable {
  struct Value {
    var start: Instant?
    var end: Instant?
    /// The load of the service at the end of the last run.
    var load: Duration
  }

  let value: Mutex<Value>

  init(load: Duration) { value = Mutex(Value(load: load)) }
}
