import Synchronization

/// A queue of signals that one loop takes in order.
///
/// Signals are kept until the loop begins, which may be late or never. Send a signal that can come any
/// number of times with `once`, so that the queue holds one of its kind.
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

  /// Sends a signal, unless one of its kind is in the queue.
  func send(_ signal: Signal, once kind: Kind) {
    if waiting.withLock({ $0.insert(kind).inserted }) { continuation.yield(signal) }
  }

  /// Lets the next signal of a kind in; the loop calls this before it acts on one.
  func taken(_ kind: Kind) {
    _ = waiting.withLock { $0.remove(kind) }
  }

  /// Ends the loop after the signals that were sent.
  func finish() {
    continuation.finish()
  }
}
