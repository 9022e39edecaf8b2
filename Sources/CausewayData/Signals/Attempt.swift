import Synchronization

/// A request that can be cancelled from outside, and that times out.
final class Attempt: Sendable {
  private struct State {
    var isGivenUp = false
    var waiter: Waiter<Void>?
  }

  private let state = Mutex(State())

  /// Whether the answer is not wanted any more.
  var isGivenUp: Bool { state.withLock(\.isGivenUp) }

  /// Cancels the request, now or as soon as it begins.
  func giveUp() {
    let waiter = state.withLock { state in
      state.isGivenUp = true
      return state.waiter.take()
    }
    waiter?.resume()
  }

  /// Performs a request, in child tasks of the caller's.
  ///
  /// Returns after the request has ended, so that it has to end soon after it is cancelled.
  ///
  /// - Parameter timeout: How long it may take; `nil` for as long as it wants.
  /// - Throws: `RemoteFailure` of kind `timedOut`, what the request throws, or `CancellationError`
  ///   when the task is cancelled or the attempt is given up.
  func perform<T: Sendable>(
    timeout: Duration?, _ environment: SyncEnvironment,
    _ request: @escaping @concurrent @Sendable () async throws -> T
  ) async throws -> T {
    try await withThrowingTaskGroup(of: T.self) { group in
      group.addTask { try await request() }
      if let timeout {
        group.addTask {
          try await environment.sleep(timeout)
          throw RemoteFailure(.timedOut, "There was no answer within \(timeout).")
        }
      }
      group.addTask {
        await self.wait()
        throw CancellationError()
      }
      defer { group.cancelAll() }
      // There are children, so that there is a first one.
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }

  /// Returns at a time on the environment's clock, or earlier when it is given up or cancelled.
  func wait(until time: Duration, _ environment: SyncEnvironment) async {
    let wait = max(time - environment.now(), .zero)
    try? await perform(timeout: nil, environment) { try await environment.sleep(wait) }
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
