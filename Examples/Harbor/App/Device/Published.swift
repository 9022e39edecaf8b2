import Synchronization

/// A value that many streams follow.
///
/// Each stream begins with the current value. A slow consumer gets only the newest value.
final class Published<Value: Sendable & Equatable>: Sendable {
  private struct State {
    var value: Value
    var streams: [Int: AsyncStream<Value>.Continuation] = [:]
    var next = 0
  }

  private let state: Mutex<State>

  init(_ value: Value) { state = Mutex(State(value: value)) }

  /// The current value, read under a lock.
  var value: Value { state.withLock(\.value) }

  /// Sets the value.
  ///
  /// An equal value is not sent again.
  func set(_ value: Value) { update { $0 = value } }

  /// Changes the value under the lock.
  func update(_ change: (inout Value) -> Void) {
    state.withLock { state in
      let before = state.value
      change(&state.value)
      guard state.value != before else { return }
      for stream in state.streams.values { stream.yield(state.value) }
    }
  }

  /// A stream of the value, registered when this returns.
  func stream() -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.next += 1
      state.streams[state.next] = continuation
      continuation.yield(state.value)
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.streams.removeValue(forKey: id) }
    }
    return stream
  }
}
