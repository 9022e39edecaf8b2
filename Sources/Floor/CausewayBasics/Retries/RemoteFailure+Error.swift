import Foundation

extension RemoteFailure {
  /// Classifies an error.
  ///
  /// A `RemoteFailure` stays as it is, and a `NetworkError` determines its own kind. Errors of
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
  /// Sources without a network service need it.
  init?(urlLoading error: any Error) {
    let system = error as NSError
    guard system.domain == NSURLErrorDomain else { return nil }
    self.init(SystemFailure(code: system.code).remoteKind, SystemFailure.message(of: error))
  }
}
