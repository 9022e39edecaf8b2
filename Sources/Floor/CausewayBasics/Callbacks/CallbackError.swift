public import Foundation

/// A misuse of a callback, or a callback that was not called.
public enum CallbackError: Error, Hashable, Sendable {
  /// The callback was released without having been called.
  case dropped
  /// The callback was called with neither a value nor an error.
  case calledWithoutResult
  /// The callback was not called within the timeout.
  case timedOut(after: Duration)
  /// The callback was called more than once; the later call was ignored.
  case calledAgain
}

extension CallbackError: CustomStringConvertible {
  /// A description of the error, with a remedy.
  public var description: String {
    switch self {
    case .dropped:
      "The callback was released without having been called. "
        + "Call it on every path of the function, including the paths that fail."
    case .calledWithoutResult:
      "The callback was called with neither a value nor an error. "
        + "Pass a value or an error; for a result that may be nil, make the value type optional."
    case .timedOut(let duration):
      "The callback was not called within \(duration). "
        + "Check why the function does not call it, or raise the timeout."
    case .calledAgain:
      "The callback was called more than once; later calls are ignored. "
        + "Return after the first call, or use a listener for several values."
    }
  }
}

extension CallbackError: LocalizedError {
  /// A sentence for people.
  public var errorDescription: String? {
    switch self {
    case .timedOut: "This took too long. Try again."
    case .dropped, .calledWithoutResult, .calledAgain: "This did not work. Try again."
    }
  }
}
