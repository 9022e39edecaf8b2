import Foundation

/// The meaning of an error of the system's URL loading.
package enum SystemFailure {
  case notConnected, unreachable, brokenConnection, brokenResponse, timedOut, insecure, notSignedIn
  case redirect, closed, badRequest, tooLarge, file, other

  /// - Parameter code: The code of a `URLError`.
  package init(code: Int) {
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

  /// The system's text of an error, with its code.
  package static func message(of error: any Error) -> String {
    let error = error as NSError
    return "\(error.localizedDescription) (system code \(error.code))"
  }

  /// The kind of the error for a source without a network service.
  ///
  /// For such a source, the codes of a broken response can also mean a bad address or a refusal.
  /// The mutation may be the cause, so it must not block later entries forever.
  var remoteKind: RemoteFailure.Kind {
    switch self {
    case .notConnected, .unreachable, .insecure: .unreachable
    // The server may still have performed the request.
    case .brokenConnection, .timedOut, .closed: .timedOut
    case .notSignedIn: .unauthorized
    case .brokenResponse, .redirect, .tooLarge: .garbled
    case .badRequest: .unsendable
    case .file, .other: .unknown
    }
  }
}
