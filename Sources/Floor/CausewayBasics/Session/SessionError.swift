public import Foundation

/// The reasons why work for an account fails.
public enum SessionError: Error, Sendable {
  /// The account's session has ended, and the changes were not stored.
  case ended(AccountID)
  /// No account is signed in.
  case signedOut
  /// While this sign-in waited, another sign-in or a logout began.
  case superseded(AccountID)
  /// The account is signed out, but some of its stored data could not be removed.
  ///
  /// The session service repeats the removal before the next sign-in. Call `logout` again to repeat
  /// it at once.
  case notWiped(AccountID, [Leftover])
  /// The account's data is deleted, but some files still contain remains of it.
  ///
  /// A logout throws this error. A sign-in only reports it and continues. The remains are erased by
  /// the next logout or sign-in, or at the next start of a service whose file has a mark.
  case notErased(AccountID, [Leftover])

  /// A participant that could not remove its data.
  public struct Leftover: Sendable {
    /// The participant's name.
    public let name: String
    /// The error that the removal threw.
    public let error: any Error
  }
}

extension SessionError: CustomStringConvertible {
  /// A description of the error, with a remedy.
  public var description: String {
    switch self {
    case .ended(let account):
      "The session of account \(account) has ended. Take a new ticket after the next sign-in."
    case .signedOut:
      "No account is signed in. Sign in first."
    case .superseded(let account):
      "The sign-in of account \(account) was replaced by a logout or another sign-in. Try again."
    case .notWiped(let account, let leftovers):
      "The data of account \(account) could not be removed from "
        + leftovers.map { "\($0.name) (\($0.error))" }.joined(separator: ", ")
        + ". Call logout again."
    case .notErased(let account, let leftovers):
      "The data of account \(account) is deleted, but files still contain remains of it: "
        + leftovers.map { "\($0.name) (\($0.error))" }.joined(separator: ", ")
        + ". Free space on the disk and call logout again."
    }
  }
}

extension SessionError: LocalizedError {
  /// A sentence for people.
  public var errorDescription: String? {
    switch self {
    case .ended, .superseded: "You were signed out meanwhile. Sign in again."
    case .signedOut: "Sign in first."
    case .notWiped: "Some data of this account is still on this device. Sign out again."
    case .notErased:
      "Remains of deleted data are still on this device. Free some space and sign out again."
    }
  }
}
