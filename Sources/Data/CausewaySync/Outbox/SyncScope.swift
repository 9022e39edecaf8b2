/// A part of the server's data that is read as a unit, such as a group, a list or an inbox.
///
/// Each scope has its own versions and deletions, and its mutations are sent in order.
public struct SyncScope: RawRepresentable, Hashable, Codable, Sendable {
  /// The scope's name.
  public let rawValue: String

  /// Makes a scope from its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Makes a scope from its name.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// The only scope of data that is not divided into scopes.
  public static let all = SyncScope("all")
}

extension SyncScope: ExpressibleByStringLiteral {
  /// Makes a scope from a literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension SyncScope: CustomStringConvertible {
  /// The scope's name.
  public var description: String { rawValue }
}
