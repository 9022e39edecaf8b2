import CausewaySystem
import Synchronization

/// Counts the signals that tell this process to stop, and passes them on to their handlers.
///
/// Hummingbird and Vapor handle these signals themselves, and then wait for the end of all
/// responses. They set their handlers before or after a site begins, and each handler replaces the
/// last one. So a site calls ``count()`` repeatedly. The function puts its own handler in front of
/// the current handler, and its handler also calls the current one. A signal that is ignored, or
/// that ends the process, keeps its effect.
enum StopSignals {
  private static let signals = [SIGINT, SIGTERM]
  fileprivate static let received = Atomic(0)
  /// The number of running calls of the handler, which ends a recursion if the next handler calls
  /// this one.
  fileprivate static let depth = Atomic(0)
  fileprivate static let deepest = 16
  /// The addresses of the handlers behind this one.
  fileprivate static let interrupt = Atomic<UInt>(0)
  fileprivate static let terminate = Atomic<UInt>(0)
  private static let lock = Mutex(())

  /// The number of signals that the handler of this type has received so far.
  static func count() -> Int {
    #if canImport(Glibc)
      lock.withLock { _ in
        for signal in signals { putInFront(of: signal) }
      }
    #endif
    return received.load(ordering: .acquiring)
  }

  #if canImport(Glibc)
    private static func putInFront(of signal: Int32) {
      var action = sigaction()
      guard sigaction(signal, nil, &action) == 0 else { return }
      var own = sigaction()
      own.__sigaction_handler.sa_sigaction = stopCallback
      let (current, this) = (address(action), address(own))
      // 0 stands for the default effect, and 1 for an ignored signal.
      guard current > 1, current != this else { return }
      if signal == SIGTERM {
        terminate.store(current, ordering: .releasing)
      } else {
        interrupt.store(current, ordering: .releasing)
      }
      own.sa_flags = action.sa_flags | SA_SIGINFO
      own.sa_mask = action.sa_mask
      sigaction(signal, &own, nil)
    }

    private static func address(_ action: sigaction) -> UInt {
      unsafeBitCast(action.__sigaction_handler, to: UInt.self)
    }
  #endif
}

#if canImport(Glibc)
  /// Runs inside a signal handler: it may only use atomics and call the handler behind it.
  private nonisolated func stopCallback(
    _ signal: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
  ) {
    typealias Handler =
      @convention(c) (
        Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?
      ) -> Void
    StopSignals.received.add(1, ordering: .acquiringAndReleasing)
    let behind =
      signal == SIGTERM
      ? StopSignals.terminate.load(ordering: .acquiring)
      : StopSignals.interrupt.load(ordering: .acquiring)
    let depth = StopSignals.depth.add(1, ordering: .acquiringAndReleasing).newValue
    if depth <= StopSignals.deepest {
      // A handler that has only the first parameter ignores the others.
      unsafeBitCast(behind, to: Handler.self)(signal, info, context)
    }
    StopSignals.depth.subtract(1, ordering: .acquiringAndReleasing)
  }
#endif
