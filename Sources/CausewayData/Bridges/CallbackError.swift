/// What went wrong with a callback.
public enum CallbackError: Error, Hashable, Sendable {
  /// It was thrown away without having been called.
  case dropped
  /// It was not called in time.
  case timedOut(after: Duration)
  /// It was called again; the call was ignored.
  case calledAgain
}

extension CallbackError: CustomStringConvertible {
  /// What happened, and how to fix it.
  public var description: String {
    switch self {
    case .dropped:
      "The callback was thrown away without having been called. "
        + "Call it on every path of the function, also after errors."
    case .timedOut(let duration):
      "The callback was not called within \(duration). "
        + "Check what it waits for, or give it more time."
    case .calledAgain:
      "The callback was called more than once; only the first call counts. "
        + "Return after calling it, or use a listener for several values."
    }
  }
}
