import Synchronization

/// A queue of signals that one loop takes in order; registered before the loop begins.
///
/// The loop may begin late or never. What can come any number of times until then is sent once for
/// each kind.
final class SignalQueue<Signal: Sendable>: Sendable {
  /// A kind of signal of which one in the queue is as good as many.
  enum Slot: Hashable, Sendable {
    case hint
    case stored
    case outbox
    case asked
    case retryRequested
    case registered(String)
  }

  let signals: AsyncStream<Signal>
  private let continuation: AsyncStream<Signal>.Continuation
  private let waiting = Mutex<Set<Slot>>([])

  init() {
    (signals, continuation) = AsyncStream.makeStream(of: Signal.self)
  }

  func send(_ signal: Signal) {
    continuation.yield(signal)
  }

  /// Sends a signal unless one of its kind waits already.
  func send(_ signal: Signal, once slot: Slot) {
    if waiting.withLock({ $0.insert(slot).inserted }) { continuation.yield(signal) }
  }

  /// Says that the loop has begun to handle a signal of a kind; call before acting on it.
  func taken(_ slot: Slot) {
    _ = waiting.withLock { $0.remove(slot) }
  }

  /// Ends the loop, after what was sent.
  func finish() {
    continuation.finish()
  }
}
