/// Suspends until a fixed deadline.
typealias Sleep = @Sendable () async throws -> Void

extension Clock<Duration> {
  /// Returns a sleep until the deadline that is `duration` from now.
  func sleeper(for duration: Duration) -> Sleep {
    let deadline = now.advanced(by: duration)
    return { try await sleep(until: deadline, tolerance: nil) }
  }
}
