import CausewayBasics
import Foundation

extension NetworkError {
  /// Makes an error from an error of the system's URL loading.
  package init(system error: any Error) {
    self.init(
      SystemFailure(code: (error as NSError).code).kind, message: SystemFailure.message(of: error))
  }
}

extension SystemFailure {
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
}
