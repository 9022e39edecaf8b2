import Foundation

extension NetworkError {
  /// Makes an error from an error of the system's URL loading.
  package init(system error: any Error) {
    let number = (error as NSError).code
    let text = (error as NSError).localizedDescription
    self.init(SystemFailure(code: number).kind, message: "\(text) (system code \(number))")
  }
}

/// The meaning of an error of the system's URL loading.
enum SystemFailure {
  case notConnected, unreachable, brokenConnection, brokenResponse, timedOut, insecure, notSignedIn
  case redirect, closed, badRequest, tooLarge, file, other

  /// - Parameter code: The code of a `URLError`.
  init(code: Int) {
    self =
      switch URLError.Code(rawValue: code) {
      case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
        .notConnected
      case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed:
        .unreachable
      case .networkConnectionLost:
        .brokenConnection
      // On Linux a truncated response is an unknown error, and a response that is not HTTP is an
      // unsupported address. The address itself is valid, because it was checked before.
      case .badServerResponse, .cannotParseResponse, .unknown, .unsupportedURL,
        .cannotDecodeRawData, .cannotDecodeContentData, .zeroByteResource:
        .brokenResponse
      case .timedOut:
        .timedOut
      case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
        .clientCertificateRejected, .clientCertificateRequired,
        .appTransportSecurityRequiresSecureConnection:
        .insecure
      case .userAuthenticationRequired:
        .notSignedIn
      case .httpTooManyRedirects, .redirectToNonExistentLocation:
        .redirect
      // A cancelled call ends its exchange first. So this error means that the service was closed.
      case .cancelled:
        .closed
      case .badURL:
        .badRequest
      case .dataLengthExceedsMaximum:
        .tooLarge
      case .fileDoesNotExist, .noPermissionsToReadFile, .cannotCreateFile, .cannotOpenFile,
        .cannotWriteToFile:
        .file
      default:
        .other
      }
  }

  /// The kind of the error for a network service, which has checked the request itself.
  var kind: NetworkError.Kind {
    switch self {
    case .notConnected: .notConnected
    case .unreachable: .cannotConnect
    case .brokenConnection, .brokenResponse: .connectionLost
    case .timedOut: .timedOut
    case .insecure: .insecure
    case .notSignedIn: .notSignedIn
    case .redirect: .redirect
    case .closed: .closed
    case .badRequest: .invalidRequest
    case .tooLarge: .tooLarge
    case .file: .file
    case .other: .other
    }
  }

  /// The kind of the error for a source without a network service.
  ///
  /// For such a source, the codes of a broken response can also mean a bad address or a refusal.
  /// The mutation may be the cause, so it must not block later entries forever.
  var remoteKind: RemoteFailure.Kind {
    switch self {
    case .brokenResponse, .redirect: .garbled
    default: NetworkError(kind, message: "").remoteFailure.kind
    }
  }
}
