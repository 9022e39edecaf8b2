/// The reasons why a session has no token to return.
public enum AuthSessionError: Error, Hashable, Sendable {
  /// No account is signed in.
  case signedOut
  /// The session ended while the token was being fetched; the fetched token was discarded.
  case ended
  /// The server refuses both the token and its refresh; the account has to sign in again.
  case refused(String)
  /// The token could not be refreshed this time; the session continues.
  case refreshFailed(String)
  /// The token could not be loaded or stored.
  case store(TokenStoreError)
}

extension AuthSessionError: CustomStringConvertible {
  /// What happened, and how to fix it.
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
