import Foundation

extension NetworkError {
  /// Makes an error from an error of the system's URL loading.
  package init(system error: any Error) {
    let number = (error as NSError).code
    let kind: Kind =
      switch URLError.Code(rawValue: number) {
      case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
        .notConnected
      case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed:
        .cannotConnect
      // On Linux a truncated response is an unknown error, and a response that is not HTTP is an
      // unsupported address. The address itself was checked before.
      case .networkConnectionLost, .badServerResponse, .cannotParseResponse, .unknown,
        .unsupportedURL, .cannotDecodeRawData, .cannotDecodeContentData, .zeroByteResource:
        .connectionLost
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
      // Cancelling a call ends its exchange first, so this error means that the service was closed.
      case .cancelled:
        .closed
      case .badURL:
        .invalidRequest
      case .dataLengthExceedsMaximum:
        .tooLarge
      case .fileDoesNotExist, .noPermissionsToReadFile, .cannotCreateFile, .cannotOpenFile,
        .cannotWriteToFile:
        .file
      default:
        .other
      }
    let text = (error as NSError).localizedDescription
    self.init(kind, message: "\(text) (system code \(number))")
  }
}
