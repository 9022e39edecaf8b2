import CausewaySystem

/// Calls a function that takes a callback, and waits until the callback is called.
///
/// ```swift
/// let image = try await withCallback(timeout: .seconds(10)) { callback in
///   camera.capture { image, error in callback(image, error) }
/// }
/// ```
///
/// - Parameters:
///   - type: The type of the value, if it cannot be inferred from the closure.
///   - timeout: The longest wait. Default: no limit.
///   - clock: Measures the timeout.
///   - report: Called for each call after the first. Default: prints to standard error.
///   - start: Calls the function. It is `@Sendable`, so closures inside it are not isolated to an
///     actor. A closure that is isolated to the main actor would trap if the function calls it on
///     another thread.
/// - Returns: The value that was passed to the callback.
/// - Throws: The error that was passed to the callback, or `CallbackError`. `CancellationError` as
///   soon as the task is cancelled; the called function itself continues.
public nonisolated(nonsending) func withCallback<Value: Sendable>(
  of type: Value.Type = Value.self,
  timeout: Duration? = nil,
  clock: some Clock<Duration> = ContinuousClock(),
  report: (@Sendable (CallbackError) -> Void)? = nil,
  _ start: @Sendable (Callback<Value>) -> Void
) async throws -> Value {
  let exchange = CallbackExchange<Value>(report: report ?? { misuses.write("\($0)") })
  // This must be the only reference: the deinitialiser of `Callback` detects a callback that was
  // not called.
  start(Callback(exchange))
  let timer = timeout.map { timeout in
    Task { @concurrent in
      try await clock.sleep(for: timeout)
      exchange.waiter.resume(returning: .failure(CallbackError.timedOut(after: timeout)))
    }
  }
  defer { timer?.cancel() }
  return try await exchange.waiter.value {
    $0.resume(returning: .failure(CancellationError()))
  }.get()
}

/// Prints misuses to standard error.
private let misuses = LineLog("CausewayBasics")
