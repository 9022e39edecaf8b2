import Dispatch

/// Lets synchronous code block its thread until another thread sends the signal.
///
/// With a signal, a test proves that work does not need the main actor: the test blocks the main
/// actor until the work is done.
public struct Signal: Sendable {
  // A semaphore, because only a blocked thread keeps the main actor busy.
  private let semaphore = DispatchSemaphore(value: 0)

  /// Makes an unsent signal.
  public init() {}

  /// Resumes one waiter.
  public func send() {
    semaphore.signal()
  }

  /// Blocks the thread.
  ///
  /// Returns false if no signal arrives within ten minutes.
  public func wait() -> Bool {
    semaphore.wait(timeout: .now() + 600) == .success
  }
}
