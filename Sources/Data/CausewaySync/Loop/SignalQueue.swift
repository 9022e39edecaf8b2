import Synchronization

/// A queue of signals that one loop processes in order.
///
/// The queue keeps signals until the loop begins, which may never happen. So a signal that can be
/// sent any number of times must be sent with `once`. The queue then holds at most one signal of
/// its kind.
final class SignalQueue<Signal: Sendable, Kind: Hashable & Sendable>: Sendable {
  let signals: AsyncStream<Signal>
  private let continuation: AsyncStream<Signal>.Continuation
  private let waiting = Mutex<Set<Kind>>([])

  init() {
    (signals, continuation) = AsyncStream.makeStream(of: Signal.self)
  }

  func send(_ signal: Signal) {
    continuation.yield(signal)
  }

  /// Sends a signal, unless the queue holds a signal of the same kind.
  func send(_ signal: Signal, once kind: Kind) {
    if waiting.withLock({ $0.insert(kind).inserted }) { continuation.yield(signal) }
  }

  /// Allows the next signal of a kind; the loop calls this before it processes a signal.
  func taken(_ kind: Kind) {
    _ = waiting.withLock { $0.remove(kind) }
  }

  /// Ends the loop after the signals that were already sent.
  func finish() {
    continuation.finish()
  }
}
