import Synchronization

/// A callback that resumes the caller of ``withCallback(of:timeout:clock:report:_:)``.
///
/// Call it once, on any thread. Later calls are ignored and reported. If it is released without
/// having been called, the waiting caller gets ``CallbackError/dropped``.
public final class Callback<Value: Sendable>: Sendable {
  private let exchange: CallbackExchange<Value>

  init(_ exchange: CallbackExchange<Value>) {
    self.exchange = exchange
  }

  deinit {
    exchange.drop()
  }

  /// Returns a value to the waiting caller.
  public func resume(returning value: Value) {
    exchange.call(.success(value))
  }

  /// Throws an error to the waiting caller.
  public func resume(throwing error: any Error) {
    exchange.call(.failure(error))
  }

  /// Returns a value or throws an error to the waiting caller.
  public func resume(with result: Result<Value, any Error>) {
    exchange.call(result)
  }

  /// Returns the value or throws the error: for completion handlers with a pair of optionals.
  ///
  /// The error counts if both are there. If both are `nil`, the waiting caller gets
  /// ``CallbackError/calledWithoutResult``.
  public func callAsFunction(_ value: Value?, _ error: (any Error)?) {
    if let error {
      resume(throwing: error)
    } else if let value {
      resume(returning: value)
    } else {
      resume(throwing: CallbackError.calledWithoutResult)
    }
  }
}

/// The state that a callback and its waiting caller share.
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

  /// Records a call of the callback.
  func call(_ answer: Answer) {
    let isFirst = state.withLock { state in
      defer { state.wasCalled = true }
      return !state.wasCalled
    }
    // A first call after a timeout or a cancellation is not a misuse.
    if isFirst { end(answer) } else { report(.calledAgain) }
  }

  /// Records that the callback was released.
  func drop() {
    if !state.withLock(\.wasCalled) { end(.failure(CallbackError.dropped)) }
  }

  /// Ends the wait, now or as soon as it begins; the first answer counts.
  func end(_ answer: Answer) {
    let continuation = state.withLock { state -> CheckedContinuation<Answer, Never>? in
      guard state.answer == nil else { return nil }
      state.answer = answer
      return state.continuation.take()
    }
    continuation?.resume(returning: answer)
  }

  /// Waits for the answer.
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
