import Foundation

extension NetworkError {
  /// What an error of the system's URL loading means.
  package init(system error: any Error) {
    let number = (error as NSError).code
    let kind: Kind =
      switch URLError.Code(rawValue: number) {
      case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
        .notConnected
      case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed:
        .cannotConnect
      // On Linux, half an answer is an unknown error, and one that is not HTTP at all has an
      // unsupported address; addresses were checked before.
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
      // Cancelling a request ends its exchange first, so this is the closing of the service.
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
