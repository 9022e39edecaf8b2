import Synchronization

/// The values that the consumer of one stream has not received yet.
///
/// A sender adds values under its own lock, which decides their order, and resumes the consumer
/// after it has released the lock:
///
/// ```swift
/// let wakeups = state.withLock { state in
///   state.board = board
///   var wakeups = Wakeups<Board>()
///   for buffer in state.buffers { buffer.add(board, &wakeups) }
///   return wakeups
/// }
/// wakeups.resume()
/// ```
///
/// Resuming a consumer under a lock can cause a deadlock. To resume a consumer, the runtime needs
/// the status lock of the consumer's task. A cancellation of that task holds the status lock while
/// its handlers wait for the sender's lock. The order of the values does not depend on when
/// consumers resume.
package final class StreamBuffer<Value: Sendable>: Sendable {
  /// The values that a stream keeps for a slow consumer.
  package enum Buffering: Sendable {
    /// Only the newest value, for states.
    case latest
    /// Every value, for rare events that must not be lost.
    case everything
  }

  private enum Step: Sendable {
    case value(Value)
    case end(Result<Void, any Error>)
    case wait
  }

  private struct State {
    var added: [Value] = []
    /// Values that were added before all of `added`, in reverse order.
    var oldest: [Value] = []
    var end: Result<Void, any Error>?
    var consumer: UnsafeContinuation<Void, Never>?

    var isReady: Bool { end != nil || !added.isEmpty || !oldest.isEmpty }

    mutating func step() -> Step {
      if oldest.isEmpty {
        swap(&oldest, &added)
        oldest.reverse()
      }
      if let value = oldest.popLast() { return .value(value) }
      return end.map(Step.end) ?? .wait
    }
  }

  private let buffering: Buffering
  private let state: Mutex<State>

  package init(_ first: Value? = nil, buffering: Buffering) {
    self.buffering = buffering
    state = Mutex(State(added: first.map { [$0] } ?? []))
  }

  /// Adds a value, unless the stream has ended; may be called under a lock.
  ///
  /// - Parameter wakeups: Receives the consumer if it waits.
  package func add(_ value: Value, _ wakeups: inout Wakeups<Value>) {
    let (consumer, replaced) = state.withLock {
      state -> (UnsafeContinuation<Void, Never>?, Value?) in
      guard state.end == nil else { return (nil, nil) }
      // The sender releases the replaced value later, because a deinitialiser can run any code.
      let replaced = buffering == .latest ? state.oldest.popLast() ?? state.added.popLast() : nil
      state.added.append(value)
      return (state.consumer.take(), replaced)
    }
    if let consumer { wakeups.consumers.append(consumer) }
    if let replaced { wakeups.released.append(replaced) }
  }

  /// Ends the stream after the values that were added; may be called under a lock.
  ///
  /// - Parameters:
  ///   - error: The error that the consumer receives; `nil` if the stream ends without an error.
  ///   - wakeups: Receives the consumer if it waits.
  package func end(throwing error: (any Error)? = nil, _ wakeups: inout Wakeups<Value>) {
    let consumer = state.withLock { state in
      if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
      return state.consumer.take()
    }
    if let consumer { wakeups.consumers.append(consumer) }
  }

  /// Returns a stream of the values for one consumer.
  ///
  /// - Parameter onRelease: Called once, on any thread, after the consumer was cancelled, has
  ///   received the end, or was released. The buffer receives no consumer afterwards.
  package func stream(onRelease: @escaping @Sendable () -> Void) -> AsyncStream<Value> {
    let consumer = Consumer(buffer: self, onRelease: onRelease)
    // This never throws: only the buffer of a throwing stream ends with an error.
    return AsyncStream { try? await consumer.buffer.next() }
  }

  /// Returns a stream of the values for one consumer, which receives the error of the end.
  ///
  /// - Parameter onRelease: As for ``stream(onRelease:)``.
  package func throwingStream(
    onRelease: @escaping @Sendable () -> Void
  ) -> AsyncThrowingStream<Value, any Error> {
    let consumer = Consumer(buffer: self, onRelease: onRelease)
    return AsyncThrowingStream { try await consumer.buffer.next() }
  }

  /// Only the stream retains it, so its release tells the sender that the stream was released.
  private final class Consumer: Sendable {
    let buffer: StreamBuffer
    private let onRelease: @Sendable () -> Void

    init(buffer: StreamBuffer, onRelease: @escaping @Sendable () -> Void) {
      self.buffer = buffer
      self.onRelease = onRelease
    }

    deinit {
      onRelease()
    }
  }

  private func next() async throws -> Value? {
    while true {
      switch state.withLock({ $0.step() }) {
      case .value(let value): return value
      case .end(let result):
        try result.get()
        return nil
      case .wait: await wait()
      }
    }
  }

  private func wait() async {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let isReady = state.withLock { state in
          if state.isReady { return true }
          precondition(state.consumer == nil, "Two tasks iterate one stream at the same time.")
          state.consumer = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      var wakeups = Wakeups<Value>()
      end(&wakeups)
      wakeups.resume()
    }
  }
}
