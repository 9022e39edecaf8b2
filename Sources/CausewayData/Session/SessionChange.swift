/// Something that happened to the session.
public enum SessionChange: Sendable, Equatable {
  /// How it was when the stream was made: the account that was signed in, if any.
  case initial(AccountID?)
  /// An account has signed in.
  case signedIn(AccountID)
  /// An account has signed out; its data is being wiped.
  case signedOut(AccountID)

  /// The account that is signed in after it.
  public var account: AccountID? {
    switch self {
    case .initial(let account): account
    case .signedIn(let account): account
    case .signedOut: nil
    }
  }
}
