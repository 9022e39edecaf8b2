import CausewayBasics
import Synchronization

/// A request with a timeout that other code can cancel.
final class Attempt: Sendable {
  private struct State {
    var isGivenUp = false
    var waiter: Waiter<Void>?
  }

  private let state = Mutex(State())

  /// Whether the request was cancelled, so its answer is not needed.
  var isGivenUp: Bool { state.withLock(\.isGivenUp) }

  /// Cancels the request, now or as soon as it begins.
  func giveUp() {
    let waiter = state.withLock { state in
      state.isGivenUp = true
      return state.waiter.take()
    }
    waiter?.resume()
  }

  /// Performs a request in child tasks of the current task.
  ///
  /// Returns only after the request has ended, so the request must end soon after it is cancelled.
  ///
  /// - Parameter timeout: The longest time for the request; `nil` for no limit.
  /// - Throws: `RemoteFailure` of kind `timedOut`, the error of the request, or `CancellationError`
  ///   when the task is cancelled or `giveUp` is called.
  func perform<T: Sendable>(
    timeout: Duration?, _ surroundings: Surroundings,
    _ request: @escaping @concurrent @Sendable () async throws -> T
  ) async throws -> T {
    try await withThrowingTaskGroup(of: T.self) { group in
      group.addTask { try await request() }
      if let timeout {
        group.addTask {
          try await surroundings.sleep(timeout)
          throw RemoteFailure(.timedOut, "There was no answer within \(timeout).")
        }
      }
      group.addTask {
        await self.wait()
        throw CancellationError()
      }
      defer { group.cancelAll() }
      // The group has child tasks, so there is always a first result.
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }

  /// Waits until a time on the clock; ends earlier after `giveUp` or a cancellation.
  func wait(until time: Duration, _ surroundings: Surroundings) async {
    let wait = max(time - surroundings.now(), .zero)
    try? await perform(timeout: nil, surroundings) { try await surroundings.sleep(wait) }
  }

  private func wait() async {
    let waiter = Waiter<Void>()
    let isGivenUp = state.withLock { state in
      state.waiter = waiter
      return state.isGivenUp
    }
    if !isGivenUp { await waiter.value { $0.resume() } }
  }
}
