package import CausewayBasics

extension NetworkError: RemoteFailureConvertible {
  /// The error as a ``RetryTable`` classifies it.
  package var remoteFailure: RemoteFailure {
    RemoteFailure(failureKind, description, retryAfter: retryAfter)
  }

  private var failureKind: RemoteFailure.Kind {
    switch kind {
    case .notConnected, .cannotConnect, .insecure, .tokenUnavailable: .unreachable
    // A web page or a redirect may come from a sign-in page between the client and the service. It
    // does not prove that the service has received the request.
    case .contentType, .redirect: .unreachable
    // If the connection broke or the service was closed, the server may still have performed the
    // request.
    case .timedOut, .connectionLost, .closed: .timedOut
    case .notSignedIn: .unauthorized
    case .decoding, .eventStream, .malformed, .tooLarge: .garbled
    case .invalidRequest, .encoding: .unsendable
    case .file, .other: .unknown
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

/// The network service has already repeated the request as often as its policy allows.
extension NetworkError: RetriedFailure {}
