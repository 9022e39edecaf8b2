import Synchronization

/// The callback of a function, to be called once, on any thread.
///
/// Calls after the first are ignored and reported. If it is thrown away without having been called,
/// whoever waits gets ``CallbackError/dropped``.
public final class Callback<Value: Sendable>: Sendable {
  private let exchange: CallbackExchange<Value>

  init(_ exchange: CallbackExchange<Value>) {
    self.exchange = exchange
  }

  deinit {
    exchange.drop()
  }

  /// Returns a value to whoever waits.
  public func resume(returning value: Value) {
    exchange.call(.success(value))
  }

  /// Throws an error to whoever waits.
  public func resume(throwing error: any Error) {
    exchange.call(.failure(error))
  }

  /// Returns or throws to whoever waits.
  public func resume(with result: Result<Value, any Error>) {
    exchange.call(result)
  }

  /// Returns the value, or throws the error, or throws ``CallbackError/dropped`` if there is
  /// neither: for the usual pair of optionals.
  public func callAsFunction(_ value: Value?, _ error: (any Error)?) {
    if let error {
      resume(throwing: error)
    } else if let value {
      resume(returning: value)
    } else {
      resume(throwing: CallbackError.dropped)
    }
  }
}

/// Who waits for a callback, and whether it was called.
final class CallbackExchange<Value: Sendable>: Sendable {
  typealias Answer = Result<Value, any Error>

  private struct State {
    var continuation: CheckedContinuation<Answer, Never>?
    var answer: Answer?
    var wasCalled = false
  }

  private let state = Mutex(State())
  private let report: @Sendable (CallbackError) -> Void

  init(report: @escaping @Sendable (CallbackError) -> Void) {
    self.report = report
  }

  /// The callback is called.
  func call(_ answer: Answer) {
    let isFirst = state.withLock { state in
      defer { state.wasCalled = true }
      return !state.wasCalled
    }
    // A first call that comes too late is in order: nobody waits any more.
    if isFirst { end(answer) } else { report(.calledAgain) }
  }

  /// The callback was thrown away.
  func drop() {
    if !state.withLock(\.wasCalled) { end(.failure(CallbackError.dropped)) }
  }

  /// Answers whoever waits, or will wait; the first answer counts.
  func end(_ answer: Answer) {
    let continuation = state.withLock { state -> CheckedContinuation<Answer, Never>? in
      guard state.answer == nil else { return nil }
      state.answer = answer
      return state.continuation.take()
    }
    continuation?.resume(returning: answer)
  }

  /// The answer, as soon as there is one.
  func answer() async -> Answer {
    await withCheckedContinuation { continuation in
      let answer = state.withLock { state in
        if state.answer == nil { state.continuation = continuation }
        return state.answer
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }
}
