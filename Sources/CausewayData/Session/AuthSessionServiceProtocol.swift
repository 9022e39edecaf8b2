/// Holds the token of the signed-in account.
///
/// Network services take the token from it, and ask it for another one when the server refuses.
public protocol AuthSessionServiceProtocol: Sendable {
  /// The token to send; `nil` if no account is signed in.
  ///
  /// - Throws: `AuthSessionError`, or `CancellationError` when the task is cancelled.
  func token() async throws -> AuthToken?

  /// Another token than the one that the server has refused.
  ///
  /// Many may ask for the same one at a time: there is one refresh for all of them.
  ///
  /// - Parameter refused: The token that was sent.
  /// - Throws: `AuthSessionError`, which is `ended` for a token of an earlier session: what it was
  ///   sent with must not be sent again for another account. `CancellationError` when the task is
  ///   cancelled; the refresh goes on for the others.
  func token(replacing refused: AuthToken) async throws -> AuthToken
}
