import Synchronization

/// Delivers values to any number of streams, which are registered when they are made.
package final class Broadcast<Value: Sendable>: Sendable {
  /// The values that a stream keeps for a slow consumer.
  package enum Buffering: Sendable {
    /// Only the newest value, for states.
    case latest
    /// Every value, for rare events that must not be lost.
    case everything
  }

  private struct State {
    var latest: Value?
    var continuations: [Int: AsyncStream<Value>.Continuation] = [:]
    var next = 0
    var isFinished = false
  }

  private let state: Mutex<State>
  private let buffering: Buffering

  package init(_ value: Value?, buffering: Buffering) {
    state = Mutex(State(latest: value))
    self.buffering = buffering
  }

  deinit {
    finish()
  }

  /// The number of streams that still exist.
  package var count: Int { state.withLock { $0.continuations.count } }

  /// Delivers a value, and sets the first value of later streams.
  ///
  /// The value is sent under the lock, so all streams get values in the same order. Complexity:
  /// O(streams).
  package func send(_ value: Value, beginning: Value?) {
    state.withLock { state in
      state.latest = beginning
      for continuation in state.continuations.values { continuation.yield(value) }
    }
  }

  /// Returns a stream that begins with the current first value, if there is one.
  package func stream() -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: buffering == .latest ? .bufferingNewest(1) : .unbounded)
    let id: Int? = state.withLock { state in
      if let latest = state.latest { continuation.yield(latest) }
      guard !state.isFinished else { return nil }
      defer { state.next += 1 }
      state.continuations[state.next] = continuation
      return state.next
    }
    guard let id else {
      continuation.finish()
      return stream
    }
    // A weak reference, because the continuation is stored in this object.
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.continuations[id] = nil }
    }
    return stream
  }

  /// Ends all streams after the values that were sent.
  package func finish() {
    let continuations = state.withLock { state in
      state.isFinished = true
      defer { state.continuations = [:] }
      return Array(state.continuations.values)
    }
    for continuation in continuations { continuation.finish() }
  }
}
