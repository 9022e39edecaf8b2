import CausewayBasics
import CausewayDatabase

/// Waits for a lock by suspending between attempts, which blocks no thread.
struct BusyTimeout {
  private static let backoff = Backoff(initial: .milliseconds(1), cap: .milliseconds(50))

  private let deadline: ContinuousClock.Instant
  private let file: StoreFile

  /// - Parameters:
  ///   - timeout: The longest wait.
  ///   - start: The beginning of the wait; `nil` for now.
  ///   - file: The file that another connection has locked.
  init(
    _ timeout: Duration, since start: ContinuousClock.Instant? = nil, for file: StoreFile
  ) {
    self.file = file
    deadline = (start ?? file.now) + timeout
  }

  /// Calls the closure until it succeeds, throws an error other than `busy`, or the time is up.
  ///
  /// - Throws: The closure's error, or `CancellationError` if the task is cancelled during the
  ///   wait.
  func retry<T>(
    isolation: isolated (any Actor)? = #isolation, _ attempt: () throws -> T
  ) async throws -> T {
    var failures = 0
    while true {
      do {
        return try attempt()
      } catch let error as PersistenceError where error.kind == .busy {
        guard file.now < deadline else { throw error }
      }
      failures += 1
      let pause = Self.backoff.delay(afterAttempts: failures)
      // The last attempt runs at the end of the time, not earlier.
      try await Task.sleep(for: min(pause, file.now.duration(to: deadline)))
    }
  }
}
