/// The reasons why work for an account fails.
public enum SessionError: Error, Sendable {
  /// The account's session has ended; its changes were not stored.
  case ended(AccountID)
  /// No account is signed in.
  case signedOut
  /// Another sign-in or a logout began while this sign-in waited.
  case superseded(AccountID)
  /// The account is signed out, but some of its stored data could not be removed.
  ///
  /// The session service tries again before the next sign-in; another call of `logout` tries at
  /// once.
  case notWiped(AccountID, [Leftover])

  /// A participant that could not remove its data.
  public struct Leftover: Sendable {
    /// The participant's name.
    public let name: String
    /// The error that the removal threw.
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
