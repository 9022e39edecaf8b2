import Synchronization

/// One suspended caller, which is resumed exactly once, by another caller or by its cancellation.
///
/// ```swift
/// let waiter = Waiter<Bool>()
/// state.withLock { $0.waiters.append(waiter) }
/// let hasLock = await waiter.value { [state] waiter in
///   let isWaiting = state.withLock { $0.waiters.remove(waiter) }
///   if isWaiting { waiter.resume(returning: false) }
/// }
/// ```
///
/// It joins a list before its caller suspends, so that the order in the list is the order of the
/// calls. Whoever takes it out of the list resumes it; so a cancellation and a hand-over at the same
/// time cannot both happen.
package final class Waiter<Value: Sendable>: Sendable {
  private enum State {
    case notSuspended
    case suspended(CheckedContinuation<Value, Never>)
    /// Resumed before the caller was suspended.
    case resumed(Value)
    case done
  }

  private let state = Mutex(State.notSuspended)

  package init() {}

  /// Ends the wait, now or as soon as it begins.
  ///
  /// Further calls do nothing.
  package func resume(returning value: Value) {
    let continuation: CheckedContinuation<Value, Never>? = state.withLock { state in
      switch state {
      case .notSuspended:
        state = .resumed(value)
        return nil
      case .suspended(let continuation):
        state = .done
        return continuation
      case .resumed, .done:
        return nil
      }
    }
    continuation?.resume(returning: value)
  }

  /// Waits until ``resume(returning:)`` is called; call this once.
  ///
  /// - Parameter onCancel: Called at once when the task is cancelled, or is cancelled already, on any
  ///   thread. Has to resume the waiter, unless another caller is about to.
  package func value(onCancel: @Sendable (Waiter) -> Void) async -> Value {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let value: Value? = state.withLock { state in
          // The cancellation handler, or another caller, may have run before this.
          if case .resumed(let value) = state {
            state = .done
            return value
          }
          state = .suspended(continuation)
          return nil
        }
        if let value { continuation.resume(returning: value) }
      }
    } onCancel: {
      onCancel(self)
    }
  }
}

extension Waiter where Value == Void {
  /// Ends the wait, now or as soon as it begins.
  package func resume() { resume(returning: ()) }
}

extension Array {
  /// Takes a waiter out of a list; returns whether it was there.
  package mutating func remove<Value>(_ waiter: Waiter<Value>) -> Bool
  where Element == Waiter<Value> {
    guard let index = firstIndex(where: { $0 === waiter }) else { return false }
    remove(at: index)
    return true
  }
}
