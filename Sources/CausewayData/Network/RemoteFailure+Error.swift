import Foundation

extension RemoteFailure {
  /// Classifies an error.
  ///
  /// A type that conforms to ``RemoteFailureConvertible`` provides its own kind. Errors of
  /// `URLSession` are classified by their code; without a network they are `unreachable`. Decoding
  /// errors are `garbled`, and all other errors are `unknown`.
  public init(_ error: any Error) {
    switch error {
    case let failure as RemoteFailure: self = failure
    case let error as any RemoteFailureConvertible: self = error.remoteFailure
    case let error as DecodingError: self.init(.garbled, "\(error)")
    default: self = Self(urlLoading: error) ?? Self(.unknown, "\(error)")
    }
  }

  /// Classifies an error of the system's URL loading; returns `nil` for any other error.
  ///
  /// It is for sources without a ``NetworkService``.
  init?(urlLoading error: any Error) {
    let system = error as NSError
    guard system.domain == NSURLErrorDomain else { return nil }
    self.init(SystemFailure(code: system.code).remoteKind, NetworkError(system: error).message)
  }
}

extension NetworkError: RemoteFailureConvertible {
  /// The error as a ``RetryTable`` classifies it.
  public var remoteFailure: RemoteFailure {
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
