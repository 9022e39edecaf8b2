/// The identifier of an account: the server's id, and not a name that the user can change.
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
  /// Makes an identifier from a literal, for example in tests.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension AccountID: CustomStringConvertible {
  /// The identifier's text.
  public var description: String { rawValue }
}
