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
  /// Whose it is; set by ``AuthSessionService``, not by servers.
  ///
  /// Stored with the token, so that a sign-in finds out whether the next account may have it.
  public var account: AccountID?

  /// Makes a token.
  public init(
    access: String, refresh: String? = nil, expiry: Date? = nil, account: AccountID? = nil
  ) {
    self.access = access
    self.refresh = refresh
    self.expiry = expiry
    self.account = account
  }

  /// Reads a token that a server sent or a store kept.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    access = try values.decode(String.self, forKey: .access)
    refresh = try values.decodeIfPresent(String.self, forKey: .refresh)
    expiry = try values.decodeIfPresent(Date.self, forKey: .expiry)
    // A server may use the name for another purpose; that value is ignored.
    account = try? values.decodeIfPresent(AccountID.self, forKey: .account)
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

extension AuthToken: SecretResponse {}
