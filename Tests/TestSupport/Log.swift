import Synchronization

/// Collects values from any isolation, in their order of arrival.
public final class Log<Element: Sendable>: Sendable {
  private struct Waiter {
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var elements: [Element] = []
    var waiters: [Int: Waiter] = [:]
    var nextWaiter = 0
  }

  private let state = Mutex(State())

  /// Makes an empty log.
  public init() {}

  /// Adds a value.
  public func append(_ element: Element) {
    let ready = state.withLock { state in
      state.elements.append(element)
      let count = state.elements.count
      let ready = state.waiters.filter { $0.value.count <= count }
      for id in ready.keys { state.waiters[id] = nil }
      return ready
    }
    for waiter in ready.values { waiter.continuation.resume() }
  }

  /// All values so far.
  public var all: [Element] {
    state.withLock { $0.elements }
  }

  /// Returns when the log has that many values or the task is cancelled.
  ///
  /// A test ends when it exceeds its time limit. Its later expectations report the missing values.
  public func wait(for count: Int) async {
    let id = state.withLock { state in
      defer { state.nextWaiter += 1 }
      return state.nextWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if state.elements.count >= count || Task.isCancelled { return true }
          state.waiters[id] = Waiter(count: count, continuation: continuation)
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
    }
  }
}
