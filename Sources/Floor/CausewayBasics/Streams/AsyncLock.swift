import Synchronization

/// A lock that is held across suspensions; callers get it in the order of their calls.
///
/// An actor is not enough, because it runs other calls at each `await`. A closure that waits for
/// the lock that it holds never ends.
public final class AsyncLock: Sendable {
  private struct State {
    var isTaken = false
    var waiters: [Waiter<Bool>] = []
  }

  private let state = Mutex(State())

  /// Makes a lock that is not held.
  public init() {}

  /// The number of callers that wait for the lock.
  var count: Int { state.withLock { $0.waiters.count } }

  /// Runs a closure while holding the lock.
  ///
  /// - Throws: The error of the closure, or `CancellationError` when the task is cancelled while it
  ///   waits.
  public func withLock<T>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T
  ) async throws -> T {
    try await enter(isolation: isolation)
    defer { leave() }
    return try await body()
  }

  private func enter(isolation: isolated (any Actor)?) async throws {
    let waiter: Waiter<Bool>? = state.withLock { state in
      guard state.isTaken else {
        state.isTaken = true
        return nil
      }
      let waiter = Waiter<Bool>()
      state.waiters.append(waiter)
      return waiter
    }
    guard let waiter else { return }
    let hasLock = await waiter.value { waiter in
      if state.withLock({ $0.waiters.remove(waiter) }) { waiter.resume(returning: false) }
    }
    guard hasLock else { throw CancellationError() }
  }

  private func leave() {
    let next: Waiter<Bool>? = state.withLock { state in
      guard !state.waiters.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiters.removeFirst()
    }
    next?.resume(returning: true)
  }
}
