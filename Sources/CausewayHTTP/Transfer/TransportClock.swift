import CausewayData

/// What an exchange needs of a clock, whatever the clock's type.
struct TransportClock: Sendable {
  /// The time since the clock was made.
  let now: @Sendable () -> Duration
  /// Returns after a duration, or throws when the task is cancelled.
  let sleep: @Sendable (Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0) }
  }

  /// Ends an exchange that stands still, or that takes too long in all.
  ///
  /// - Parameters:
  ///   - exchange: Known weakly while time passes, so that giving it up ends it.
  ///   - timeout: How long nothing may move.
  ///   - end: When all of it has to be done.
  func watch(_ exchange: Exchange, timeout: Duration, end: Duration?) -> Task<Void, Never> {
    Task { @concurrent [weak exchange] in
      while let last = exchange?.lastActivity {
        let standstill = last + timeout
        let time = now()
        if let end, time >= end {
          exchange?.cancel(
            NetworkError(.timedOut, message: "the call was not done before its deadline"))
          return
        }
        if time >= standstill {
          exchange?.cancel(
            NetworkError(.timedOut, message: "nothing was sent or received for \(timeout)"))
          return
        }
        do {
          try await sleep(min(standstill, end ?? standstill) - time)
        } catch {
          return
        }
      }
    }
  }
}
