import Synchronization

/// Collects values from any isolation, in the order in which they came.
public final class Log<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  /// Makes an empty log.
  public init() {}

  /// Adds a value.
  public func append(_ element: Element) {
    let ready = state.withLock { state in
      state.elements.append(element)
      let count = state.elements.count
      let ready = state.waiters.filter { $0.count <= count }
      state.waiters.removeAll { $0.count <= count }
      return ready
    }
    for waiter in ready { waiter.continuation.resume() }
  }

  /// Everything so far.
  public var all: [Element] {
    state.withLock { $0.elements }
  }

  /// Returns when there are that many values, whether or not the task is cancelled.
  public func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.elements.count >= count { return true }
        state.waiters.append((count, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }
}
