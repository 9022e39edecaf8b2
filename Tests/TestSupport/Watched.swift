import Foundation

/// Ends the process with a message if a body takes too long.
///
/// A deadlock can stop all threads that run tasks, and then no test ends and no time limit is
/// noticed. So a separate thread watches the time.
///
/// - Parameters:
///   - limit: The longest duration, which is tenfold under a sanitizer.
///   - description: The name of the body, for the message.
public nonisolated(nonsending) func watched<T>(
  _ description: String, limit: Duration = .seconds(300), _ body: () async throws -> T
) async rethrows -> T {
  let end = DispatchSemaphore(value: 0)
  let seconds = Int(limit.components.seconds) * (isSanitized ? 10 : 1)
  Thread.detachNewThread {
    guard end.wait(timeout: .now() + .seconds(seconds)) == .timedOut else { return }
    fatalError("Stands still: \(description), for \(seconds) seconds.")
  }
  defer { end.signal() }
  return try await body()
}
