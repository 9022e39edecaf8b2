import Synchronization

/// A lock that is held across suspensions; callers get it in the order in which they ask.
///
/// An actor alone does not do that: other calls run at each `await`.
final class AsyncLock: Sendable {
  private struct State {
    var isTaken = false
    var waiters: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    var next = 0
  }

  private let state = Mutex(State())

  /// How many callers wait for the lock.
  var count: Int { state.withLock { $0.waiters.count } }

  /// Runs a closure while holding the lock.
  ///
  /// - Throws: What the closure throws, or `CancellationError` when the task is cancelled while it
  ///   waits.
  func withLock<T>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T
  ) async throws -> T {
    try await enter(isolation: isolation)
    defer { leave() }
    return try await body()
  }

  private func enter(isolation: isolated (any Actor)?) async throws {
    let id: Int? = state.withLock { state in
      guard state.isTaken else {
        state.isTaken = true
        return nil
      }
      defer { state.next += 1 }
      return state.next
    }
    guard let id else { return }
    let isThrough = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        wait(id, continuation)
      }
    } onCancel: {
      remove(id)?.resume(returning: false)
    }
    guard isThrough else { throw CancellationError() }
  }

  private func wait(_ id: Int, _ continuation: CheckedContinuation<Bool, Never>) {
    let answer: Bool? = state.withLock { state in
      // The cancellation handler may have run before there was anything to resume. It takes the
      // same lock, so a cancellation is seen either here or there.
      if Task.isCancelled { return false }
      if !state.isTaken {
        state.isTaken = true
        return true
      }
      state.waiters.append((id, continuation))
      return nil
    }
    if let answer { continuation.resume(returning: answer) }
  }

  private func remove(_ id: Int) -> CheckedContinuation<Bool, Never>? {
    state.withLock { state in
      state.waiters.firstIndex { $0.id == id }
        .map { state.waiters.remove(at: $0).continuation }
    }
  }

  private func leave() {
    let next: CheckedContinuation<Bool, Never>? = state.withLock { state in
      guard !state.waiters.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiters.removeFirst().continuation
    }
    next?.resume(returning: true)
  }
}
