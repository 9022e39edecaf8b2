import Synchronization

/// One suspended caller, which is resumed exactly once: by other code or by its cancellation.
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
/// The waiter is added to a list before its caller suspends, so the list has the order of the
/// calls. Code that removes the waiter from the list must resume it. Only one caller can remove it,
/// so a cancellation and a hand-over at the same time do not both resume it.
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

  /// Whether ``resume(returning:)`` was called.
  package var isResumed: Bool {
    state.withLock { state in
      switch state {
      case .notSuspended, .suspended: false
      case .resumed, .done: true
      }
    }
  }

  /// Resumes the caller, now or as soon as it suspends.
  ///
  /// Later calls do nothing.
  ///
  /// - Returns: Whether this was the first call.
  @discardableResult
  package func resume(returning value: Value) -> Bool {
    let (isFirst, continuation) = state.withLock {
      state -> (Bool, CheckedContinuation<Value, Never>?) in
      switch state {
      case .notSuspended:
        state = .resumed(value)
        return (true, nil)
      case .suspended(let continuation):
        state = .done
        return (true, continuation)
      case .resumed, .done:
        return (false, nil)
      }
    }
    continuation?.resume(returning: value)
    return isFirst
  }

  /// Waits until ``resume(returning:)`` is called; may be called only once.
  ///
  /// - Parameter onCancel: Called on any thread when the task is cancelled, or at once if it is
  ///   already cancelled. It must resume the waiter, unless other code will resume it.
  package func value(onCancel: @Sendable (Waiter) -> Void) async -> Value {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let value: Value? = state.withLock { state in
          // The cancellation handler or other code may already have resumed the waiter.
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
  /// Resumes the caller, now or as soon as it suspends.
  @discardableResult
  package func resume() -> Bool { resume(returning: ()) }
}

extension Array {
  /// Removes a waiter from the list; returns whether the list contained it.
  package mutating func remove<Value>(_ waiter: Waiter<Value>) -> Bool
  where Element == Waiter<Value> {
    guard let index = firstIndex(where: { $0 === waiter }) else { return false }
    remove(at: index)
    return true
  }
}
