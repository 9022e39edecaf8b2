public import Foundation

/// The reasons why a session has no token to return.
public enum AuthSessionError: Error, Hashable, Sendable {
  /// No account is signed in.
  case signedOut
  /// The session ended while the token was being requested; the new token was discarded.
  case ended
  /// The server refuses the token and its refresh; the user must sign in again.
  case refused(String)
  /// The token could not be refreshed now; the session continues.
  case refreshFailed(String)
  /// The token could not be loaded or stored.
  case store(TokenStoreError)
}

extension AuthSessionError: CustomStringConvertible {
  /// A description of the error, with a remedy.
  public var description: String {
    switch self {
    case .signedOut: "No account is signed in. Sign in first."
    case .ended: "The session ended meanwhile. Sign in again."
    case .refused(let reason): "The server has ended the session: \(reason). Sign in again."
    case .refreshFailed(let reason): "The session could not be refreshed: \(reason). Try again."
    case .store(let error): error.description
    }
  }
}

extension AuthSessionError: LocalizedError {
  /// A sentence for people.
  public var errorDescription: String? {
    switch self {
    case .signedOut: "Sign in first."
    case .ended, .refused: "Your session has ended. Sign in again."
    case .refreshFailed: "Your session could not be renewed. Try again."
    case .store(let error): error.errorDescription
    }
  }
}
