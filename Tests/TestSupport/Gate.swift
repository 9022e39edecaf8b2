import Synchronization

/// Lets tasks wait until a test opens it.
///
/// A cancelled task stops waiting.
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var nextWaiter = 0
  }

  private let state = Mutex(State())

  /// Makes a closed gate.
  public init() {}

  /// Resumes all waiting tasks.
  ///
  /// Later calls of ``wait()`` return at once.
  public func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [:] }
      return state.waiters
    }
    for waiter in waiters.values {
      waiter.resume()
    }
  }

  /// Whether the gate is open.
  public var isPassable: Bool { state.withLock(\.isOpen) }

  /// Returns when the gate is open or the task is cancelled, whichever comes first.
  public func wait() async {
    let waiter = state.withLock { state in
      defer { state.nextWaiter += 1 }
      return state.nextWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isThrough = state.withLock { state in
          if state.isOpen || Task.isCancelled { return true }
          state.waiters[waiter] = continuation
          return false
        }
        if isThrough { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume()
    }
  }

  /// Returns when the gate is open, even if the task is cancelled.
  public func waitUncancellably() async {
    await withCheckedContinuation { continuation in
      let isThrough = state.withLock { state in
        if state.isOpen { return true }
        state.waiters[state.nextWaiter] = continuation
        state.nextWaiter += 1
        return false
      }
      if isThrough { continuation.resume() }
    }
  }
}
