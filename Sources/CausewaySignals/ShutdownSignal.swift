/// The signals that ask a program to stop.
///
/// ```swift
/// for await _ in ShutdownSignal.received() { break }
/// await server.stop()
/// ```
public enum ShutdownSignal: Int32, Sendable, CaseIterable {
  /// SIGINT: Ctrl-C in a terminal.
  case interrupt = 2
  /// SIGTERM: `kill`, and the programs that start and stop services.
  case terminate = 15

  /// Returns the signals that this process receives from now on.
  ///
  /// The first signal of each kind is delivered here. After it, the signal has its default effect
  /// again, so that a second Ctrl-C ends a program whose graceful stop takes too long. After another call of this
  /// function, the next signal is delivered again. Every sequence receives every signal.
  ///
  /// Isolation: may be called from anywhere. Delivery does not block a thread while it waits.
  public static func received() -> AsyncStream<ShutdownSignal> {
    let (stream, continuation) = AsyncStream.makeStream(of: ShutdownSignal.self)
    SignalPipe.shared.add(continuation)
    return stream
  }
}
