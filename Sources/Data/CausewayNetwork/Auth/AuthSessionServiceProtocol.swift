/// Provides the token of the signed-in account.
///
/// Network services get the token from it. They request a new token when the server refuses the
/// current one.
public protocol AuthSessionServiceProtocol: Sendable {
  /// The token to send; `nil` if no account is signed in.
  ///
  /// - Throws: `AuthSessionError`, or `CancellationError` when the task is cancelled.
  func token() async throws -> AuthToken?

  /// Returns a new token that replaces a token that the server has refused.
  ///
  /// All concurrent calls with the same token share one refresh.
  ///
  /// - Parameter refused: The token that was sent.
  /// - Throws: `AuthSessionError`. It is `ended` for a token of an earlier session; the request
  ///   must then not be sent again, because it would use another account. `CancellationError` when
  ///   the task is cancelled; the refresh continues for the other callers.
  func token(replacing refused: AuthToken) async throws -> AuthToken
}
