public import Foundation

/// What a server gave for the credentials of an account.
///
/// Printing and reflecting it shows no secret.
public struct AuthToken: Sendable, Hashable, Codable {
  /// Sent with each request.
  public var access: String
  /// Sent to get another token.
  public var refresh: String?
  /// When the server stops accepting it, if that is known.
  public var expiry: Date?

  /// Makes a token.
  public init(access: String, refresh: String? = nil, expiry: Date? = nil) {
    self.access = access
    self.refresh = refresh
    self.expiry = expiry
  }
}

extension AuthToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Says only that it is a token.
  public var description: String { "AuthToken(…)" }
  /// Says only that it is a token.
  public var debugDescription: String { description }
  /// Has no children, so that `dump` and test failures show no secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
