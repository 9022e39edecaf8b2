/// The signals that tell a program to stop.
///
/// ```swift
/// for await _ in ShutdownSignal.received() { break }
/// await server.stop()
/// ```
public enum ShutdownSignal: Int32, Sendable, CaseIterable {
  /// SIGINT: Ctrl-C in a terminal.
  case interrupt = 2
  /// SIGTERM: sent by `kill`, and by programs that start and stop services.
  case terminate = 15

  /// Returns the signals that this process receives from now on.
  ///
  /// The sequence receives the first signal of each kind. After that, the signal has its default
  /// effect again. A second Ctrl-C can thus end a program whose graceful stop takes too long.
  /// Another call of this function catches the next signal again. All sequences receive each caught
  /// signal.
  ///
  /// Isolation: any code may call it. Waiting for a signal does not block a thread.
  public static func received() -> AsyncStream<ShutdownSignal> {
    let (stream, continuation) = AsyncStream.makeStream(of: ShutdownSignal.self)
    SignalPipe.shared.add(continuation)
    return stream
  }
}
