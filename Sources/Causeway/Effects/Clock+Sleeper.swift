/// Suspends until a moment that was fixed when this was made.
typealias Sleep = @Sendable () async throws -> Void

extension Clock<Duration> {
  /// Fixes the moment that is the given time from now.
  func sleeper(for duration: Duration) -> Sleep {
    let deadline = now.advanced(by: duration)
    return { try await sleep(until: deadline, tolerance: nil) }
  }
}
