import Synchronization

/// A callback that resumes the caller of ``withCallback(of:timeout:clock:report:_:)``.
///
/// Call it once, on any thread. Later calls are ignored and reported. If it is released before it
/// was called, the waiting caller gets ``CallbackError/dropped``.
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

  /// Returns the value or throws the error, for completion handlers with two optionals.
  ///
  /// If both are present, the error is thrown. If both are `nil`, the waiting caller gets
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

  /// The waiting caller.
  ///
  /// The caller gets the first result: from the callback, the timeout, or a cancellation.
  let waiter = Waiter<Answer>()
  private let wasCalled = Atomic(false)
  private let report: @Sendable (CallbackError) -> Void

  init(report: @escaping @Sendable (CallbackError) -> Void) {
    self.report = report
  }

  /// Records a call of the callback.
  func call(_ answer: Answer) {
    let wasCalled = wasCalled.exchange(true, ordering: .acquiringAndReleasing)
    // After a timeout or a cancellation, a first call is not a misuse.
    if wasCalled { report(.calledAgain) } else { waiter.resume(returning: answer) }
  }

  /// Records that the callback was released.
  func drop() {
    guard !wasCalled.load(ordering: .acquiring) else { return }
    waiter.resume(returning: .failure(CallbackError.dropped))
  }
}
