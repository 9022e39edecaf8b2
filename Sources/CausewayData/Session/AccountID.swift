/// What identifies an account: the server's own id, never a name that may be changed.
public struct AccountID: RawRepresentable, Hashable, Codable, Sendable {
  /// The identifier's text.
  public let rawValue: String

  /// Makes an identifier from its text.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Makes an identifier from its text.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// The account of an app without accounts.
  public static let local = AccountID("local")
}

extension AccountID: ExpressibleByStringLiteral {
  /// Makes an identifier from a literal, as tests do.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension AccountID: CustomStringConvertible {
  /// The identifier's text.
  public var description: String { rawValue }
}
