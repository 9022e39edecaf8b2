import Foundation
import Synchronization

/// The signals that ask a program to stop.
public enum ShutdownSignal: Int32, Sendable, CaseIterable {
  /// SIGINT: Ctrl-C in a terminal.
  case interrupt = 2
  /// SIGTERM: `kill`, and what starts and stops services.
  case terminate = 15

  /// The signals that this process receives from now on.
  ///
  /// A signal that has arrived once gets its default effect back: somebody who presses Ctrl-C a
  /// second time does not want to wait for a graceful stop. Calling this again arms it again.
  /// May be called from anywhere and more than once; every sequence gets every signal.
  public static func received() -> AsyncStream<ShutdownSignal> {
    let (stream, continuation) = AsyncStream.makeStream(of: ShutdownSignal.self)
    SignalPipe.shared.add(continuation)
    return stream
  }
}
