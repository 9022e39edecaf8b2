extension NetworkError: RemoteFailureConvertible {
  /// The error as a ``RetryTable`` sees it.
  public var remoteFailure: RemoteFailure {
    RemoteFailure(failureKind, description, retryAfter: retryAfter)
  }

  private var failureKind: RemoteFailure.Kind {
    switch kind {
    case .notConnected, .cannotConnect, .insecure, .tokenUnavailable: .unreachable
    // A connection that breaks says nothing about the request: it may have been done.
    case .timedOut, .connectionLost: .timedOut
    case .notSignedIn: .unauthorized
    case .contentType, .decoding, .eventStream, .redirect, .tooLarge: .garbled
    case .invalidRequest, .encoding: .unsendable
    case .file, .closed, .other: .unknown
    case .status:
      switch status {
      case 401: .unauthorized
      case 408: .timedOut
      case 409, 412: .conflict
      case 425, 429, 503: .busy
      case .some(500...): .serverFault
      default: .rejected
      }
    }
  }
}
