/// Why something could not be done for an account.
public enum SessionError: Error, Sendable {
  /// The account's session has ended; its changes were not stored.
  case ended(AccountID)
  /// No account is signed in.
  case signedOut
  /// Another sign-in or a logout came while this sign-in waited for its turn.
  case superseded(AccountID)
  /// The account is signed out, but some of what was stored for it is still there.
  ///
  /// It is tried again before the next sign-in; calling `logout` again tries at once.
  case notWiped(AccountID, [Leftover])

  /// A place that could not be wiped.
  public struct Leftover: Sendable {
    /// The participant's name.
    public let name: String
    /// What its wiping threw.
    public let error: any Error
  }
}

extension SessionError: CustomStringConvertible {
  /// What happened and what to do about it.
  public var description: String {
    switch self {
    case .ended(let account):
      "The session of account \(account) has ended. Take a new ticket after the next sign-in."
    case .signedOut:
      "No account is signed in. Sign in first."
    case .superseded(let account):
      "The sign-in of account \(account) was overtaken by a logout or another sign-in. Try again."
    case .notWiped(let account, let leftovers):
      "The data of account \(account) could not be removed from "
        + leftovers.map { "\($0.name) (\($0.error))" }.joined(separator: ", ")
        + ". Call logout again."
    }
  }
}
