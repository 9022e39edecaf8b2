public import CausewayBasics
public import Foundation

/// The token that a server returned for the credentials of an account.
///
/// Its description and its mirror contain no secret.
public struct AuthToken: Sendable, Hashable, Codable {
  /// The secret that is sent with each request.
  public var access: String
  /// The secret that is used to request a new token.
  public var refresh: String?
  /// The date after which the server refuses the token, if it is known.
  ///
  /// A network service replaces an expired token before it sends a request. A session ignores a
  /// date that has passed when the token arrives, because in this case one of the clocks is wrong.
  public var expiry: Date?
  /// The account of the token.
  ///
  /// ``AuthSessionService`` sets it; servers do not.
  ///
  /// It is stored with the token. At a sign-in, the session uses it to decide whether to remove the
  /// token.
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

  /// Decodes a token from a server's response or from a store.
  ///
  /// The names of OAuth are accepted too: `access_token`, `refresh_token`, and `expires_in`, whose
  /// seconds are counted from now. Some servers write the seconds as text, and `expiry` as RFC 3339.
  /// A time that cannot be read counts as unknown, because only the server decides.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let standard = try decoder.container(keyedBy: OAuthKeys.self)
    if !values.contains(.access), standard.contains(.access) {
      access = try standard.decode(String.self, forKey: .access)
    } else {
      access = try values.decode(String.self, forKey: .access)
    }
    refresh =
      try values.decodeIfPresent(String.self, forKey: .refresh)
      ?? standard.decodeIfPresent(String.self, forKey: .refresh)
    expiry =
      (try? values.decodeIfPresent(Date.self, forKey: .expiry))
      ?? (try? values.decodeIfPresent(String.self, forKey: .expiry)).flatMap(Self.date)
      ?? Self.seconds(in: standard).map { SystemValues.date.addingTimeInterval($0) }
    // A server may use this name for another purpose. Its value is ignored.
    account = try? values.decodeIfPresent(AccountID.self, forKey: .account)
  }

  private static func seconds(in values: KeyedDecodingContainer<OAuthKeys>) -> Double? {
    if let seconds = try? values.decode(Double.self, forKey: .expiresIn) { return seconds }
    guard let text = try? values.decode(String.self, forKey: .expiresIn) else { return nil }
    return Double(text.trimmingCharacters(in: .whitespaces)).flatMap { $0.isFinite ? $0 : nil }
  }

  /// A date of RFC 3339, without its fraction of a second.
  private static func date(_ text: String) -> Date? {
    let whole = text.replacing(/\.[0-9]+/, with: "")
    return try? Date(whole, strategy: .iso8601)
  }

  /// The names of RFC 6749, section 5.1.
  private enum OAuthKeys: String, CodingKey {
    case access = "access_token"
    case refresh = "refresh_token"
    case expiresIn = "expires_in"
  }
}

extension AuthToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A text without any secret.
  public var description: String { "AuthToken(…)" }
  /// A text without any secret.
  public var debugDescription: String { description }
  /// A mirror without children, so `dump` and test failures show no secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension AuthToken: SecretResponse {}
