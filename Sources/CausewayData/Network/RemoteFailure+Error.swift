import Foundation

extension RemoteFailure {
  /// Finds out what kind of failure an error is.
  ///
  /// Errors say so themselves by conforming to ``RemoteFailureConvertible``. Those of `URLSession`
  /// are known: without a network they are `unreachable`. Errors of decoding are `garbled`, and all
  /// others `unknown`.
  public init(_ error: any Error) {
    switch error {
    case let failure as RemoteFailure: self = failure
    case let error as any RemoteFailureConvertible: self = error.remoteFailure
    case let error as DecodingError: self.init(.garbled, "\(error)")
    default: self = Self(urlLoading: error) ?? Self(.unknown, "\(error)")
    }
  }

  /// What an error of the system's URL loading means, for sources without a ``NetworkService``;
  /// `nil` for any other error.
  init?(urlLoading error: any Error) {
    let system = error as NSError
    guard system.domain == NSURLErrorDomain else { return nil }
    let failure = NetworkError(system: error)
    self.init(failure.failureKind, failure.message)
    // Some stand for an address or an answer that is not as it should be, and sources that check
    // answers themselves throw them for a refusal too: the mutation may be to blame, and must not
    // block the entries behind it forever.
    let isBroken = system.code == URLError.Code.networkConnectionLost.rawValue
    if failure.kind == .connectionLost, !isBroken { kind = .garbled }
  }
}

extension NetworkError: RemoteFailureConvertible {
  /// The error as a ``RetryTable`` sees it.
  public var remoteFailure: RemoteFailure {
    RemoteFailure(failureKind, description, retryAfter: retryAfter)
  }

  fileprivate var failureKind: RemoteFailure.Kind {
    switch kind {
    case .notConnected, .cannotConnect, .insecure, .tokenUnavailable: .unreachable
    // A connection that breaks, or that is closed with its service, says nothing about the request:
    // it may have been done.
    case .timedOut, .connectionLost, .closed: .timedOut
    case .notSignedIn: .unauthorized
    case .contentType, .decoding, .eventStream, .malformed, .redirect, .tooLarge: .garbled
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
