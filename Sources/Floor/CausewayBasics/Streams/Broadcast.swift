import Synchronization

/// Delivers values to any number of streams, which are registered when they are made.
///
/// All streams get the values in the order of the calls. A caller that changes its state under a
/// lock sends the value in two steps: it calls ``add(_:beginning:)`` under this lock, and
/// `resume()` of the result after the unlock.
package final class Broadcast<Value: Sendable>: Sendable {
  private struct State {
    var first: Value?
    /// The streams in the order of their registration.
    var buffers: [(id: Int, buffer: StreamBuffer<Value>)] = []
    var last = 0
    var isFinished = false

    mutating func remove(_ id: Int) -> StreamBuffer<Value>? {
      // The identifiers ascend, so this is a binary search.
      var range = buffers.indices
      while !range.isEmpty {
        let middle = range.lowerBound + range.count / 2
        if buffers[middle].id == id { return buffers.remove(at: middle).buffer }
        range =
          buffers[middle].id < id
          ? middle + 1..<range.upperBound : range.lowerBound..<middle
      }
      return nil
    }
  }

  private let state: Mutex<State>
  private let buffering: StreamBuffer<Value>.Buffering

  /// Makes a broadcast without streams.
  ///
  /// - Parameters:
  ///   - first: The first value of new streams; `nil` for none.
  ///   - buffering: The values that a stream keeps for a slow consumer.
  package init(_ first: Value?, buffering: StreamBuffer<Value>.Buffering) {
    state = Mutex(State(first: first))
    self.buffering = buffering
  }

  deinit {
    finish()
  }

  /// The number of streams that still exist.
  package var count: Int { state.withLock { $0.buffers.count } }

  /// Delivers a value, and sets the first value of later streams.
  ///
  /// Must not be called under a lock. Complexity: O(streams).
  package func send(_ value: Value, beginning: Value?) {
    add(value, beginning: beginning).resume()
  }

  /// Adds a value to all streams, and sets the first value of later streams.
  ///
  /// May be called under a lock. Complexity: O(streams).
  ///
  /// - Returns: The consumers, which the caller must resume without a lock.
  package func add(_ value: Value, beginning: Value?) -> Wakeups<Value> {
    state.withLock { state in
      var wakeups = Wakeups(releasing: state.first)
      state.first = beginning
      for (_, buffer) in state.buffers { buffer.add(value, &wakeups) }
      return wakeups
    }
  }

  /// Returns a stream that begins with the current first value, if there is one.
  package func stream() -> AsyncStream<Value> {
    let (buffer, id) = state.withLock { state in
      let buffer = StreamBuffer(state.first, buffering: buffering)
      state.last += 1
      if state.isFinished {
        var wakeups = Wakeups<Value>()
        buffer.end(&wakeups)
      } else {
        state.buffers.append((state.last, buffer))
      }
      return (buffer, state.last)
    }
    return buffer.stream { [weak self] in
      // The buffer is released after the unlock.
      _ = self?.state.withLock { $0.remove(id) }
    }
  }

  /// Ends all streams after the values that were sent; must not be called under a lock.
  package func finish() {
    let (wakeups, buffers) = state.withLock { state in
      state.isFinished = true
      var wakeups = Wakeups<Value>()
      for (_, buffer) in state.buffers { buffer.end(&wakeups) }
      defer { state.buffers = [] }
      return (wakeups, state.buffers)
    }
    // The buffers may be released only after the unlock.
    withExtendedLifetime(buffers) { wakeups.resume() }
  }
}
