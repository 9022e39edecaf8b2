/// A change of the session.
public enum SessionChange: Sendable, Equatable {
  /// The state when the stream was created: the signed-in account, if any.
  case initial(AccountID?)
  /// An account has signed in.
  case signedIn(AccountID)
  /// An account has signed out, or the server has ended its session.
  ///
  /// Its data is being removed. If the server has ended the session, the account's unsent changes
  /// are kept.
  case signedOut(AccountID)

  /// The account that is signed in after the change.
  public var account: AccountID? {
    switch self {
    case .initial(let account): account
    case .signedIn(let account): account
    case .signedOut: nil
    }
  }
}
