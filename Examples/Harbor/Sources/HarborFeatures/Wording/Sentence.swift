import CausewayData
import Foundation
import HarborDomain

/// The sentences that people see for errors.
package enum Sentence {
  /// The sentence of an error for people.
  ///
  /// For an error without such a sentence, such as Harbor's own errors, it is the description.
  package static func of(_ error: any Error) -> String {
    (error as? any LocalizedError)?.errorDescription ?? "\(error)"
  }

  /// A sentence for a sign-in or a sign-up.
  ///
  /// The server's answers to these requests are secret, so the error usually has no sentence of the
  /// server.
  ///
  /// - Parameter isNew: Whether the account is new.
  package static func ofSignIn(_ error: any Error, isNew: Bool) -> String {
    guard let error = error as? NetworkError, error.bodyExcerpt == nil else { return of(error) }
    return switch error.status {
    case 403 where isNew, 404 where isNew:
      "The server refuses this account. It may need an invitation that has not expired."
    case 403: Credentials.wrong
    case 409: "There is an account of this name. Sign in, or choose another name."
    case 429: "There were too many attempts. Wait some minutes and try again."
    default: of(error)
    }
  }
}
