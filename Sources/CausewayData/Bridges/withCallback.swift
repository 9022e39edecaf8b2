import Foundation

/// Calls a function that takes a callback, and waits until the callback is called.
///
/// ```swift
/// let image = try await withCallback(timeout: .seconds(10)) { callback in
///   camera.capture { image, error in callback(image, error) }
/// }
/// ```
///
/// - Parameters:
///   - type: What the callback is called with, where the closure does not tell.
///   - timeout: How long to wait at most. Default: without end.
///   - clock: Counts the timeout.
///   - report: Is told of calls after the first. Default: prints to standard error.
///   - start: Calls the function. It is sendable, so that the closures in it belong to no actor:
///     one that belonged to the main actor would trap when it is called on another thread.
/// - Returns: What the callback was called with.
/// - Throws: What the callback was called with; `CallbackError.dropped` if it is thrown away
///   without having been called, `CallbackError.timedOut`; `CancellationError` at once when the
///   task is cancelled. The function itself is not stopped then.
public nonisolated(nonsending) func withCallback<Value: Sendable>(
  of type: Value.Type = Value.self,
  timeout: Duration? = nil,
  clock: some Clock<Duration> = ContinuousClock(),
  report: @escaping @Sendable (CallbackError) -> Void = printMisuse,
  _ start: @Sendable (Callback<Value>) -> Void
) async throws -> Value {
  let exchange = CallbackExchange<Value>(report: report)
  // Given away: when the function throws it away, nobody else keeps it.
  start(Callback(exchange))
  let timer = timeout.map { timeout in
    Task { @concurrent in
      try await clock.sleep(for: timeout)
      exchange.end(.failure(CallbackError.timedOut(after: timeout)))
    }
  }
  defer { timer?.cancel() }
  return try await withTaskCancellationHandler {
    try await exchange.answer().get()
  } onCancel: {
    exchange.end(.failure(CancellationError()))
  }
}

/// Prints the misuse of a callback to standard error.
public func printMisuse(_ error: CallbackError) {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
}
